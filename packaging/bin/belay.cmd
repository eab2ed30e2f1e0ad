@echo off
rem The command belay of an installed Belay: the app's own executable, as Node, in this process alone.
setlocal
set ELECTRON_RUN_AS_NODE=1
"%~dp0..\..\Belay.exe" "%~dp0..\app.asar\out\main\belay.js" %*
