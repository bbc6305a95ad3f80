// All tests of the page in a browser, with one program and one browser for all.

import './board.js';
import './analysis.js';
import './games.js';
import './setup.js';
import './annotation.js';
import './play.js';
import './clocks.js';
import './regulations.js';
import './library.js';
import './safety.js';
import './speed.js';
import './screenshots.js';
