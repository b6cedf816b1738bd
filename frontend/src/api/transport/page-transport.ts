/** The one way in which this page is answered, as its document says. */
import { IN_FOLDER } from '../site';
import { OfflineError } from '../problem';
import { http } from './http';
import type { Transport } from './transport';

const folder: Transport = {
  request: async (...asked) => (await answering()).request(...asked),
};
let started: Promise<Transport> | undefined;
/** What answers in a folder is no part of the page that a service answers. */
const answering = (): Promise<Transport> =>
  (started ??= import('./folder').then(
    ({ createFolder }) => createFolder(),
    () => {
      started = undefined;
      throw new OfflineError();
    },
  ));

export const transport: Transport = IN_FOLDER ? folder : http;
