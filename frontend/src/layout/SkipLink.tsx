import { useStore } from '../state/store';

/** The first stop of the Tab key: past the header and the formats, into the schedule. */
export function SkipLink() {
  const store = useStore();
  return (
    <nav aria-label="Skip">
      <a
        className="skip-link"
        href="#schedule"
        onClick={(event) => {
          event.preventDefault();
          store.look({ front: 'define', maximised: null, present: false });
          // Where Define was not in front, it is there after the next drawing.
          requestAnimationFrame(() => {
            const schedule = document.getElementById('schedule');
            (schedule?.querySelector<HTMLElement>('[role="textbox"]') ?? schedule)?.focus();
          });
        }}
      >
        Skip to the schedule
      </a>
    </nav>
  );
}
