import { useMemo } from 'react';
import type { AssemblyView, CompileView } from '../../api/types';
import { linesOf } from '../../components/code/lines';
import type { CodeLine } from '../../components/code/lines';
import { iconOf } from '../../components/code/roles';
import '../../components/code/roles.css';
import { Prose } from '../../components/Prose';
import { linkIdsOf, useLinked } from '../../state/links';
import { counted } from '../../text/quantities';
import { blocksOf, vectorBits } from './blocks';
import type { Block } from './blocks';
import { useAssembly } from './use-assembly';
import './assembly.css';

/** The machine code of the kernel, below the lines of C that it is of, which light up what they are of elsewhere. */
export default function AssemblyPanel({ result }: { readonly result: CompileView }) {
  const answer = useAssembly(result);
  if (answer.state === 'asked')
    return <p className="panel-message muted">Compiling the kernel for its machine code…</p>;
  if (answer.state === 'failed') return <p className="panel-message">{answer.reason}</p>;
  const { view } = answer;
  if (!view.ok) {
    return (
      <p className="panel-message">
        <Prose text={view.diagnostics.map(({ message, hint }) => `${message} ${hint ?? ''}`).join(' ')} />
      </p>
    );
  }
  return <MachineCode view={view} result={result} />;
}

function MachineCode({ view, result }: { readonly view: AssemblyView; readonly result: CompileView }) {
  const lines = useMemo(() => (result.code ? linesOf(result.code) : []), [result.code]);
  const all = view.functions.flatMap(({ instructions }) => instructions);
  const bits = vectorBits(all);
  return (
    <section className="assembly" aria-label="Machine code">
      <div className="assembly-head caption">
        <p>
          {counted(all.length + view.left_out, 'instruction')},{' '}
          {bits === null ? 'no vectors' : `vectors of up to ${bits} bits`}, for processors of the class{' '}
          <code>{view.machine_class}</code>, by {view.compiler}, read by {view.disassembler}.
        </p>
        <details>
          <summary>Flags</summary>
          <code className="assembly-flags">{view.flags.join(' ')}</code>
        </details>
      </div>
      <div className="assembly-code">
        {view.functions.map(({ name, instructions }) => (
          <section key={name} aria-label={`Function ${name}`}>
            <h3 className="assembly-function">{name}</h3>
            <ol>
              {blocksOf(instructions).map((block, index) => (
                <SourceLine key={index} block={block} line={block.line === null ? undefined : lines[block.line - 1]} />
              ))}
            </ol>
          </section>
        ))}
        {view.left_out > 0 && (
          <p className="panel-message muted">{counted(view.left_out, 'more instruction')} behind these.</p>
        )}
      </div>
    </section>
  );
}

/** A line of C with its instructions. */
function SourceLine({ block, line }: { readonly block: Block; readonly line: CodeLine | undefined }) {
  const { props } = useLinked(line?.origin ? linkIdsOf(line.origin) : []);
  const role = line?.origin?.role;
  const text = line?.text.trim() ?? '';
  return (
    <li className="assembly-block">
      <button
        type="button"
        className={`assembly-source${role ? ` tint-${role}` : ''}`}
        {...props}
        aria-label={block.line === null ? 'Added by the compiler' : `Line ${block.line}: ${text}`}
      >
        <span className="assembly-number">{block.line ?? ''}</span>
        <span className={`assembly-role${role ? ` role-${role}` : ''}`} aria-hidden="true">
          {role ? iconOf(role) : ''}
        </span>
        <code>{block.line === null ? 'added by the compiler' : text}</code>
      </button>
      <pre className="assembly-instructions">
        {block.instructions.map(({ address, text, calls }) => (
          <code key={address}>
            <span className="muted">{address.toString(16).padStart(5)} </span>
            {text}
            {calls !== null && <span className="muted"> ; {calls}</span>}
            {'\n'}
          </code>
        ))}
      </pre>
    </li>
  );
}
