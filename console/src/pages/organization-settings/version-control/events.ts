import { text } from '../../../shell/search.ts';

/** Filters of the events, in the URL. */
export interface EventsSearch {
  readonly level?: string;
  readonly connection?: string;
  readonly days?: string;
  readonly page?: string;
}

export const readEvents = (search: Readonly<Record<string, unknown>>): EventsSearch => ({
  ...text(search, 'level'),
  ...text(search, 'connection'),
  ...text(search, 'days'),
  ...text(search, 'page'),
});

const HOUR_MS = 3_600_000;
const LEVELS: readonly string[] = ['info', 'error'];
/** Events on a page. */
export const SIZE = 50;

/** Returns the page of a search, from 1. */
export const pageIn = ({ page = '1' }: EventsSearch): number => Math.max(1, Number.parseInt(page, 10) || 1);

/**
 * Converts the filters to the query of the API. The start of the period is a whole hour, so that one query answers all
 * reads within an hour.
 * @param now milliseconds since 1970
 */
export function queryOf(search: EventsSearch, now: number) {
  const { level, connection, days } = search;
  const span = Math.min(Number.parseInt(days ?? '', 10) || 0, 30) * 24;
  const from = (Math.floor(now / HOUR_MS) - span) * HOUR_MS;
  return {
    'page[number]': String(pageIn(search)),
    'page[size]': String(SIZE),
    ...(span > 0 && { 'filter[from]': new Date(from).toISOString() }),
    ...(level !== undefined && LEVELS.includes(level) && { 'filter[levels]': level }),
    ...(connection && { 'filter[oauth_client_external_ids]': connection }),
  };
}

/** Converts the time of an event, which has the format of HCP Terraform: `2026-02-09 20:07:49.686 +0000 UTC`. */
export function timeOf(goTime: string): string {
  const [date = '', time = ''] = goTime.split(' ');
  return `${date}T${time}Z`;
}
