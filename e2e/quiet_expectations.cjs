// Loaded by Playwright's driver before its own code. For its error messages it describes the whole page each time that an
// expectation does not hold yet, which is a third of what a page works while it opens. Here a journey that has failed is
// described once (e2e/conftest.py).
const Module = require("node:module");

const DESCRIBES = "ariaSnapshotForExpectFailure(element, options) {";
const compile = Module.prototype._compile;

Module.prototype._compile = function (content, filename, ...more) {
  const quiet = filename.endsWith("coreBundle.js") ? content.replace(DESCRIBES, `${DESCRIBES} return void 0;`) : content;
  return compile.call(this, quiet, filename, ...more);
};
