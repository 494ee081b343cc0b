/** CRLs in memory: parsing, look-up, fetching. Callers decide what is stored and when it is fetched. */
export type { Revocation } from './entry-arena.ts';
export { fetchList, NO_VALIDATORS, type Validators } from './fetch-list.ts';
export { type ReadList, readList } from './read-list.ts';
export { RevocationList } from './revocation-list.ts';
export { nextFetchAfterFailure, nextFetchAfterSuccess, type Random } from './schedule.ts';
export { decimalOf, serialOf } from './serial-number.ts';
