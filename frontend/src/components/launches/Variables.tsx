import { linkId, useLinked } from '../../state/links';
import type { LaunchLoop } from '../../viz/gpu/warps';

/** Loops on a GPU unit by name, each lit with its variable elsewhere on the page. */
export function Variables({ loops }: { readonly loops: readonly LaunchLoop[] }) {
  return loops.map((loop, index) => (
    <span key={loop.name}>
      {index > 0 && ', '}
      {loop.variable === null ? <code>{loop.name}</code> : <Variable name={loop.name} variable={loop.variable} />}
    </span>
  ));
}

function Variable({ name, variable }: { readonly name: string; readonly variable: string }) {
  const { props } = useLinked(linkId.variable(variable));
  return (
    <span {...props} className="gpu-variable" tabIndex={0} role="button" aria-label={`Loop ${name}`}>
      {name}
    </span>
  );
}
