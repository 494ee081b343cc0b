import type { Attack } from '../support/target.ts';
import { endlessBodies } from './bodies.ts';
import { largeLists, largePolicies, manyPatterns } from './callers.ts';
import { presentedChains } from './chains.ts';
import { silentConnections, slowHeads } from './connections.ts';
import { rapidResets, unreadStreams } from './http2.ts';
import { busyPipelines, unreadPipelines, upgrades } from './pipelining.ts';

/** Attacks of a stranger, who has neither a token nor a certificate of a known CA. */
export const STRANGERS: Readonly<Record<string, Attack>> = {
  'pipelines whose answers nobody reads': unreadPipelines,
  'pipelines whose answers are read': busyPipelines,
  'requests behind an upgrade': upgrades,
  'HTTP/2 answers that nobody reads': unreadStreams,
  'HTTP/2 requests taken back at once': rapidResets,
  'bodies without an end behind a refusal': endlessBodies,
  'connections that never say a word': silentConnections,
  'heads that come letter by letter': slowHeads,
  'chains of self-made certificates': presentedChains,
};

/** Attacks of a caller who may write policies, roles or CRLs. */
export const CALLERS: Readonly<Record<string, Attack>> = {
  'a token with many large policies': largePolicies,
  'hundreds of names against thousands of patterns': manyPatterns,
  'large lists that are uploaded all the time': largeLists,
};
