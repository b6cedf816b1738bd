import type { CompileView } from '../../api/types';

/** The provenance graph in words. */
export default function ProvenanceTable({ result }: { readonly result: CompileView }) {
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
              </tr>
            );
          })}
        </tbody>
      </table>
      <pre>{result.provenance?.text}</pre>
    </details>
  );
}
