// Reads the bytes of a program for a terminal from standard input, and prints the cells that xterm.js
// (@xterm/headless 6.0.0 with @xterm/addon-unicode-graphemes 0.4.0, unchanged) shows: a JSON array
// of rows of texts, which are empty for the second cell of a wide character.
//
// Arguments: the numbers of columns and rows.

// The addon takes the buffer of a decoded text for its own, so it must not share one with others.
Buffer.poolSize = 0;
const { Terminal } = require("./xterm-headless.js");
const { UnicodeGraphemesAddon } = require("./addon-unicode-graphemes.js");

const [cols, rows] = process.argv.slice(2).map(Number);
const terminal = new Terminal({ cols, rows, allowProposedApi: true });
terminal.loadAddon(new UnicodeGraphemesAddon());
terminal.write(require("fs").readFileSync(0), () => {
  const buffer = terminal.buffer.active;
  const cell = (y) => (_, x) => buffer.getLine(buffer.viewportY + y).getCell(x).getChars();
  const row = (_, y) => Array.from({ length: cols }, cell(y));
  console.log(JSON.stringify(Array.from({ length: rows }, row)));
});
