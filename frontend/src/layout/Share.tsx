import { useCallback, useEffect, useRef, useState } from 'react';
import { createLink, deleteLink, toProblem } from '../api/client';
import { IN_FOLDER, wholeAddress } from '../api/site';
import type { LinkCreated } from '../api/types';
import { useDismiss } from '../components/use-dismiss';
import { hasComments } from '../schedule/schedule-lines';
import { embedCode } from '../state/address/embed-address';
import { compareWith } from '../state/comparison-actions';
import { canonicalJson, toPlan } from '../plan/plan';
import { useSelect, useStore } from '../state/store';
import { copyMarkdown } from '../state/address/copy-markdown';
import { Exports } from './Exports';

type Shared =
  | {
      readonly kind: 'link';
      readonly made: LinkCreated;
      readonly url: string;
      readonly copied: boolean;
      readonly withRun: boolean;
    }
  /** In a folder without a server the address itself is the link. */
  | { readonly kind: 'address'; readonly url: string; readonly copied: boolean }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'failed'; readonly reason: string };

/** Makes a short link of the plan, with its result when there is one, and copies it. */
export function Share() {
  const store = useStore();
  const [busy, setBusy] = useState(false);
  const [shared, setShared] = useState<Shared | null>(null);
  const commented = useSelect((state) => hasComments(state.draft.schedule));
  const [markdown, setMarkdown] = useState<keyof typeof COPIED>('nothing');
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (shared === null) return;
    field.current?.select();
  }, [shared]);
  const dismiss = useCallback((by: 'escape' | 'outside') => {
    const inside = box.current?.contains(document.activeElement) ?? false;
    setShared(null);
    if (by === 'escape' && inside) button.current?.focus();
  }, []);
  useDismiss(box, shared !== null, dismiss);

  const share = async (): Promise<void> => {
    if (IN_FOLDER) {
      const url = window.location.href;
      return setShared({ kind: 'address', url, copied: await copy(url) });
    }
    setBusy(true);
    const { draft, run } = store.get();
    const plan = toPlan(draft);
    const done = run.view?.state === 'done' && canonicalJson(run.plan) === canonicalJson(plan);
    try {
      const made = await createLink(plan, done && run.view ? run.view.id : null);
      const url = wholeAddress(`s/${made.id}`);
      if (store.get().draft === draft) store.patch({ link: { id: made.id, draft } });
      setShared({ kind: 'link', made, url, copied: await copy(url), withRun: done });
    } catch (error) {
      setShared({ kind: 'failed', reason: `The link could not be made: ${toProblem(error).detail}` });
    } finally {
      setBusy(false);
    }
  };
  const forget = async (made: LinkCreated): Promise<void> => {
    setBusy(true);
    try {
      await deleteLink(made.id);
      if (store.get().link?.id === made.id) store.patch({ link: null });
      setShared({ kind: 'deleted' });
    } catch (error) {
      setShared({ kind: 'failed', reason: `The link could not be deleted: ${toProblem(error).detail}` });
    } finally {
      setBusy(false);
    }
  };
  const close = (): void => {
    setShared(null);
    button.current?.focus();
  };
  return (
    <div
      className="share"
      ref={box}
      onBlur={(event) => {
        if (event.relatedTarget instanceof Node && !box.current?.contains(event.relatedTarget)) setShared(null);
      }}
    >
      <button ref={button} type="button" className="button" disabled={busy} onClick={() => void share()}>
        Share
      </button>
      {shared !== null && (
        <div className="popover" role="dialog" aria-label="Share">
          {shared.kind === 'failed' ? (
            <p role="alert">{shared.reason} The address bar holds the whole plan as well.</p>
          ) : shared.kind === 'deleted' ? (
            <p role="status">The link is deleted. Its address no longer opens anything.</p>
          ) : shared.kind === 'address' ? (
            <>
              <input ref={field} aria-label="Link" className="code-input" readOnly value={shared.url} />
              <p role="status" className="caption muted">
                {shared.copied ? 'Copied. ' : 'Copy it with Ctrl+C. '}
                The link holds the whole plan.
              </p>
            </>
          ) : (
            <>
              <input ref={field} aria-label="Short link" className="code-input" readOnly value={shared.url} />
              <p role="status" className="caption muted">
                {shared.copied ? 'Copied. ' : 'Copy it with Ctrl+C. '}
                {shared.withRun ? 'The link opens this plan and its result.' : 'The link opens this plan.'}
                {shared.made.own
                  ? ' It is kept until you delete it.'
                  : ' Others have shared the same plan: the link is kept.'}
                {commented && ' Disabled commands and notes are kept in the address bar only.'}
              </p>
            </>
          )}
          <div className="share-more">
            <button
              type="button"
              className="button"
              onClick={() => void copyMarkdown(store).then((copied) => setMarkdown(copied ? 'copied' : 'refused'))}
            >
              Copy as Markdown
            </button>
            {(shared.kind === 'link' || shared.kind === 'address') && (
              <button
                type="button"
                className="button"
                onClick={() => void copy(embedCode(shared.url)).then((done) => setMarkdown(done ? 'embed' : 'refused'))}
              >
                Copy embed code
              </button>
            )}
            {shared.kind === 'link' && shared.made.own && (
              <button type="button" className="button quiet" disabled={busy} onClick={() => void forget(shared.made)}>
                Delete the link
              </button>
            )}
          </div>
          <Exports />
          <button
            type="button"
            className="link-button"
            onClick={() => {
              compareWith(store, store.get().draft, 'Before');
              close();
            }}
          >
            Compare what I change next with this plan
          </button>
          <p role="status" className="caption muted">
            {COPIED[markdown]}
          </p>
          <button type="button" className="button quiet" onClick={close}>
            Close
          </button>
        </div>
      )}
    </div>
  );
}

const COPIED = {
  nothing: '',
  copied: 'Copied: expression, formats, schedule, code and a link.',
  embed: 'Copied: the frame to paste into a web page or slide.',
  refused: 'The browser did not let the page write to the clipboard.',
} as const;

/** Whether the browser let the page write to the clipboard. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
