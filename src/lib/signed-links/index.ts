export { LINK_GRACE_MS } from './grace.ts';
export { type Link, type LinkKind, SignedLinks } from './signed-links.ts';
