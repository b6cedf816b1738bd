import { useState } from 'react';
import type { CompileView } from '../../api/types';
import { usePlayback } from '../../state/use-playback';
import { DataPicker } from '../../components/data/DataPicker';
import { PlaybackBar } from '../../components/playback/PlaybackBar';
import ProvenancePanel from './ProvenancePanel';
import { useNumbers } from './use-numbers';

/**
 * The provenance graph with the numbers of the traced run: value, bounds and recovery at the current step
 * (docs/sources.toml V3).
 */
export default function LiveProvenance({ result }: { readonly result: CompileView }) {
  const [on, setOn] = useState(false);
  const numbers = useNumbers(result, on);
  const refusal = usePlayback((state) => state.problem?.detail ?? state.trace?.diagnostics[0]?.message ?? null);
  return (
    <ProvenancePanel
      result={result}
      numbers={numbers}
      controls={
        <button
          type="button"
          aria-pressed={on}
          data-tip="Values, bounds and recovery at the current step of a run on small data"
          onClick={() => setOn(!on)}
        >
          <span className="overlay-icon" aria-hidden="true">
            #
          </span>
          <span className="overlay-name">Numbers</span>
        </button>
      }
      footer={
        on && (
          <div className="provenance-playback">
            <DataPicker result={result} />
            <PlaybackBar />
            {numbers === null && <p className="caption muted">{refusal ?? 'Running on small data…'}</p>}
          </div>
        )
      }
    />
  );
}
