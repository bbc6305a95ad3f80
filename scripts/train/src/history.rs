//! The losses of every epoch: as lines of JSON for programs, and as a picture.

use std::fs::{File, OpenOptions};
use std::io::{Seek, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use plotters::prelude::*;
use serde::{Deserialize, Serialize};

use crate::model::Sums;
use crate::output::replace;
use kagetsu::lock;

/// One line of the log.
#[derive(Serialize, Deserialize, PartialEq, Clone, Copy, Default, Debug)]
pub struct Epoch {
    /// Its number, from 1.
    pub epoch: u64,
    /// Loss of the value on the training games, and on those held back.
    pub training: f64,
    pub validation: f64,
    /// Loss of the value against the results alone, on the games held back.
    pub result: f64,
    /// Cross-entropy of the moves and share of best moves found, on the games held back.
    pub moves: f64,
    pub hits: f64,
}

impl Epoch {
    /// Computes the losses from the sums over the training games and over those held back.
    pub fn new(epoch: u64, training: &Sums, judged: &Sums) -> Epoch {
        // Without samples the loss is 0. Millionths are precise enough, and short numbers survive JSON exactly.
        let mean = |sum: f64, count: f64| (sum / count.max(1.0) * 1e6).round() / 1e6;
        Epoch {
            epoch,
            training: mean(training.value, training.count),
            validation: mean(judged.value, judged.count),
            result: mean(judged.result, judged.results),
            moves: mean(judged.moves, judged.move_count),
            hits: mean(judged.hits, judged.move_count),
        }
    }

    /// The losses on the games held back, in words.
    pub fn held_back(&self) -> String {
        let Epoch { validation, result, moves, hits, .. } = self;
        format!("{validation:.4} (results {result:.4}); moves {moves:.4}, best found {:.1} %", 100.0 * hits)
    }
}

impl std::fmt::Display for Epoch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "epoch {}: value {:.4}, held back {}", self.epoch, self.training, self.held_back())
    }
}

/// The log of a training. It is locked during the training, where the file system can do that, so that no other
/// training writes the same net.
pub struct History {
    log: File,
    log_path: PathBuf,
    plot_path: PathBuf,
}

impl History {
    /// Opens the log and locks it. Its content stays until [`History::write`], which also makes the picture at `plot_path`.
    pub fn open(log_path: PathBuf, plot_path: PathBuf) -> Result<History> {
        let name = || log_path.display().to_string();
        let log = OpenOptions::new().write(true).create(true).truncate(false).open(&log_path);
        let log = log.with_context(name)?;
        if !lock::acquire(&log).with_context(name)? {
            bail!("{}: another training is writing it", name());
        }
        Ok(History { log, log_path, plot_path })
    }

    /// Writes the [`text`] and the [`plot`] of the epochs so far.
    pub fn write(&mut self, text: &str, plot: Option<&str>) -> Result<()> {
        let write = |log: &mut File| {
            log.rewind()?;
            log.set_len(0)?;
            log.write_all(text.as_bytes())
        };
        write(&mut self.log).with_context(|| self.log_path.display().to_string())?;
        plot.map_or(Ok(()), |plot| replace(&self.plot_path, plot.as_bytes()))
    }
}

/// Returns the log of these epochs, one a line.
pub fn text(epochs: &[Epoch]) -> Result<String> {
    let lines: Vec<String> = epochs.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    Ok(lines.iter().flat_map(|line| [line, "\n"]).collect())
}

/// The height of a curve.
type Curve = fn(&Epoch) -> f64;

/// Draws the value's loss on the training games and on those held back, epoch by epoch; `None` without epochs.
pub fn plot(epochs: &[Epoch]) -> Result<Option<String>> {
    let losses = epochs.iter().flat_map(|e| [e.training, e.validation]);
    let (low, high) = losses.fold((f64::MAX, f64::MIN), |(l, h), loss| (l.min(loss), h.max(loss)));
    if low > high {
        return Ok(None);
    }
    let margin = (high - low).max(1e-3) / 20.0;
    let last = epochs.len().max(2) as u64;
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (720, 400)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption("Loss of the value", ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(36)
            .y_label_area_size(60)
            .build_cartesian_2d(1..last, low - margin..high + margin)?;
        chart.configure_mesh().x_desc("epoch").y_label_formatter(&|loss| format!("{loss:.4}")).draw()?;
        let curves: [(&str, RGBColor, Curve); 2] =
            [("training", BLUE, |e| e.training), ("held back", RED, |e| e.validation)];
        for (label, color, of) in curves {
            let points = epochs.iter().map(|e| (e.epoch, of(e)));
            chart
                .draw_series(LineSeries::new(points, color.stroke_width(2)).point_size(3))?
                .label(label)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
        }
        chart.configure_series_labels().background_style(WHITE).border_style(BLACK).draw()?;
        area.present()?;
    }
    Ok(Some(svg))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn epochs(count: u64) -> Vec<Epoch> {
        let epoch = |i| Epoch { epoch: i, training: 1.0 / i as f64, validation: 0.5, ..Epoch::default() };
        (1..=count).map(epoch).collect()
    }

    #[test]
    fn the_log_has_a_line_for_each_epoch_and_the_plot_both_curves() {
        let dir = tempfile::tempdir().unwrap();
        let [log, svg] = ["net.log", "net.svg"].map(|name| dir.path().join(name));
        let mut history = History::open(log.clone(), svg.clone()).unwrap();
        for count in [0, 1, 3, 2] {
            let epochs = epochs(count);
            history.write(&text(&epochs).unwrap(), plot(&epochs).unwrap().as_deref()).unwrap();
            let text = std::fs::read_to_string(&log).unwrap();
            let found: Vec<Epoch> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
            assert_eq!(found, epochs);
        }
        let picture = std::fs::read_to_string(&svg).unwrap();
        assert!(["<svg", "training", "held back", "polyline"].iter().all(|part| picture.contains(part)));
    }

    #[test]
    fn one_training_at_a_time() {
        let dir = tempfile::tempdir().unwrap();
        let open = || History::open(dir.path().join("net.log"), dir.path().join("net.svg"));
        let first = open().unwrap();
        assert!(open().is_err());
        drop(first);
        assert!(open().is_ok());
    }
}
