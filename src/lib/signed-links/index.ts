export { LINK_GRACE_MS } from './grace.ts';
export { type Link, type LinkLife, SignedLinks } from './signed-links.ts';
