/** λ of the components as bars, the largest first. */
export function Weights({ weights }: { readonly weights: readonly number[] }) {
  const largest = Math.max(...weights.map(Math.abs), Number.MIN_VALUE);
  return (
    <table className="weights">
      <caption>Weights λ of the components</caption>
      <tbody>
        {weights.map((weight, component) => (
          <tr key={component}>
            <th scope="row">{component + 1}</th>
            <td>{weight.toPrecision(5)}</td>
            <td className="weight" aria-hidden="true">
              <span className="share-bar" style={{ inlineSize: `${String((100 * Math.abs(weight)) / largest)}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
