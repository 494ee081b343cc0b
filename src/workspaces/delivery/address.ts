import type { Issue } from '../../lib/errors.ts';
import { attributeIssue } from '../jsonapi/errors.ts';

/** Returns the problems of the attribute `url` of a receiver. */
export function urlIssues(text: string): Issue[] {
  if (text === '') return [attributeIssue('url', "Url can't be blank")];
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    return [attributeIssue('url', 'Url must start with https:// or http://')];
  }
  if (url.username !== '' || url.password !== '') return [attributeIssue('url', 'Url must not contain credentials')];
  return [];
}

/** Returns host and port of a receiver, which are not secret. Deliveries are limited for each. */
export function targetOf(url: string): string {
  return new URL(url).host;
}
