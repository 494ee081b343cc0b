import type { Issue } from '../../../lib/errors.ts';
import { attributeIssue } from '../../jsonapi/errors.ts';

/** What is wrong with the attribute `url` that names a receiver. */
export function urlIssues(text: string): Issue[] {
  if (text === '') return [attributeIssue('url', "Url can't be blank")];
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    return [attributeIssue('url', 'Url is not an address that begins with https:// or http://')];
  }
  if (url.username !== '' || url.password !== '') return [attributeIssue('url', 'Url has credentials in it')];
  return [];
}

/** Whose time a message takes: the host and the port, which are no secret. */
export function targetOf(url: string): string {
  return new URL(url).host;
}
