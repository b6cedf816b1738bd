import type { CompileView } from '../../api/types';
import type { NodeNumbers } from '../../viz/provenance/numbers';
import { domainText } from './domain-text';
import type { ProvenanceNumbers } from './use-numbers';

/** The provenance graph in words. */
export default function ProvenanceTable({
  result,
  numbers,
}: {
  readonly result: CompileView;
  readonly numbers: ProvenanceNumbers | null;
}) {
  const relations = result.provenance?.relations ?? [];
  return (
    <details className="text-equivalent">
      <summary>As text</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Variable</th>
            <th scope="col">Kind</th>
            <th scope="col">Made by</th>
            <th scope="col">Bounds</th>
            <th scope="col">Recovery</th>
            {numbers && (
              <>
                <th scope="col">Value now</th>
                <th scope="col">Bounds now</th>
                <th scope="col">Recovery now</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {result.variables.map((variable) => {
            const maker = relations.find((relation) => relation.children.includes(variable.name));
            const command = maker?.command ?? null;
            return (
              <tr key={variable.name}>
                <th scope="row">{variable.name}</th>
                <td>{[variable.space, variable.loop ? 'loop' : '', variable.unit ?? ''].filter(Boolean).join(', ')}</td>
                <td>
                  {command === null ? (maker?.kind ?? '') : `${command + 1} ${result.commands[command]?.text ?? ''}`}
                </td>
                <td>
                  <code>{variable.bounds}</code>
                </td>
                <td>
                  <code>{variable.recovery}</code>
                </td>
                {numbers && <NumberCells numbers={numbers.get(variable.name)} />}
              </tr>
            );
          })}
        </tbody>
      </table>
      <pre>{result.provenance?.text}</pre>
    </details>
  );
}

function NumberCells({ numbers }: { readonly numbers: NodeNumbers | undefined }) {
  return (
    <>
      <td>{numbers?.value ?? '–'}</td>
      <td>{numbers?.domain ? domainText(numbers.domain) : '–'}</td>
      <td>
        <code>{numbers?.recovery ?? '–'}</code>
      </td>
    </>
  );
}
