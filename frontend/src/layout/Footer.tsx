import { describeMachine } from '../panels/run/machines/describe-machine';
import { useCatalog } from '../state/catalog';
import { fileAddress, IN_FOLDER } from '../api/site';

export function Footer() {
  const machine = useCatalog((catalog) => catalog.machine);
  const version = useCatalog((catalog) => catalog.version);
  return (
    <footer className="footer">
      <span>{machine === null ? '' : describeMachine(machine)}</span>
      <span className="spacer" />
      <a href={fileAddress('third-party-notices.txt')}>Licences</a>
      {!IN_FOLDER && <a href="/api/v1/openapi.json">API</a>}
      <span>{version === null ? '' : `Heddle ${version.heddle}, generator ${version.generator}`}</span>
    </footer>
  );
}
