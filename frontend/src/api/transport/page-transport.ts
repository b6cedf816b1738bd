/** The one way in which this page is answered, as its document says. */
import { IN_FOLDER } from '../site';
import { createFolder } from './folder';
import { http } from './http';
import type { Transport } from './transport';

export const transport: Transport = IN_FOLDER ? createFolder() : http;
