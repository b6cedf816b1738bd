// Loaded by Playwright's driver before its own code.
const Module = require("node:module");

// For its error messages it describes the whole page each time that an expectation does not hold yet, which is a third of what
// a page works while it opens. Here a journey that has failed is described once (e2e/conftest.py).
const DESCRIBES = "ariaSnapshotForExpectFailure(element, options) {";
// Firefox's long-term version does not know this command of WebDriver BiDi yet, and no context opens without an answer to it.
const OVERRIDES = 'this._browser._browserSession.send("emulation.setMediaFeaturesOverride"';
const OVERRIDES_OF_PAGE = 'this._session.send("emulation.setMediaFeaturesOverride"';
const HARMLESS = "session.status";

const compile = Module.prototype._compile;

function changed(content) {
  let text = content.replace(DESCRIBES, `${DESCRIBES} return void 0;`);
  for (const override of [OVERRIDES, OVERRIDES_OF_PAGE])
    text = text.replace(override, override.replace("emulation.setMediaFeaturesOverride", HARMLESS));
  return text;
}

Module.prototype._compile = function (content, filename, ...more) {
  return compile.call(this, filename.endsWith("coreBundle.js") ? changed(content) : content, filename, ...more);
};
