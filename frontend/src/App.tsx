import { useSelect, useStore } from './state/store';
import { Footer } from './layout/Footer';
import { Header } from './layout/Header';
import { Overlays } from './layout/Overlays';
import { Panes } from './layout/Panes';

export function App() {
  return (
    <div className="page">
      <Header />
      <Notice />
      <main className="main">
        <Panes />
      </main>
      <Footer />
      <Overlays />
    </div>
  );
}

/** One sentence about the link that was opened. */
function Notice() {
  const store = useStore();
  const notice = useSelect((state) => state.notice);
  if (notice === null) return null;
  return (
    <div className="notice" role="alert">
      <span>{notice}</span>
      <button type="button" className="button quiet" onClick={() => store.patch({ notice: null })}>
        Close
      </button>
    </div>
  );
}
