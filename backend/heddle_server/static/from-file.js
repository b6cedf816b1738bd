// In a document that was opened as a file: browsers run no modules there, and the page would say "Loading…" for ever.
if (location.protocol === 'file:')
  document.querySelector('[role=status]').textContent =
    'A browser does not start Heddle from a file. In its folder: python3 -m http.server, then open http://localhost:8000/.';
