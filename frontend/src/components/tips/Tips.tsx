import { useEffect } from 'react';
import { watchTips } from './watch-tips';
import './tips.css';

/** Shows what `data-tip` says of an element, wherever it stands on the page. Once a page. */
export function Tips() {
  useEffect(() => watchTips(document), []);
  return null;
}
