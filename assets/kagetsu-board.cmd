@echo off
rem Opens the board in the browser. The window shows its address; close the window to end the program.
title kagetsu
"%~dp0kagetsu.exe" web
if errorlevel 1 pause
