import type { IncomingHttpHeaders } from 'node:http';

/** Program that requests a run or a configuration version, as its headers say. */
export interface RequestSource {
  /** As HCP Terraform names it: `terraform+cloud`, `terraform`, `tfe-ui`, `tfe-api`. Our own: `lockkeeper-cli`. */
  readonly source: string;
  /** Name and version for people; null if the headers do not say. */
  readonly client: string | null;
}

/** Version of a program in a header. Headers are input of clients, so only this form is shown. */
const VERSION = /^v?(\d{1,4}(?:\.\d{1,4}){1,3}(?:-[\w.]{1,30})?)$/;
const OPENTOFU = /^OpenTofu\/(\S{1,40})/;
const OURS = /^lockkeeper\/(\S{1,40})/;
const GO_CLIENT = /^go-tfe\b/;

/**
 * Returns the program that sent a request. `tofu` and `terraform` send their version with every request, and say
 * whether they have a `cloud` block; a browser says that the request is from a page of this server.
 */
export function sourceOf(headers: IncomingHttpHeaders): RequestSource {
  const agent = headers['user-agent'] ?? '';
  const engine = headers['terraform-version'];
  if (engine !== undefined) {
    const isCloud = headers['x-terraform-integration'] === 'cloud';
    return { source: isCloud ? 'terraform+cloud' : 'terraform', client: engineName(agent, String(engine)) };
  }
  const ours = versionIn(OURS.exec(agent)?.[1]);
  if (ours !== undefined) return { source: 'lockkeeper-cli', client: `lockkeeper ${ours}` };
  if (headers['sec-fetch-site'] === 'same-origin') return { source: 'tfe-ui', client: null };
  return { source: 'tfe-api', client: GO_CLIENT.test(agent) ? 'go-tfe' : null };
}

/** Terraform's client has the same name in both programs; only newer versions of OpenTofu name themselves. */
function engineName(agent: string, given: string): string | null {
  const tofu = versionIn(OPENTOFU.exec(agent)?.[1]);
  if (tofu !== undefined) return `OpenTofu ${tofu}`;
  const version = versionIn(given);
  return version === undefined ? null : `tofu or terraform ${version}`;
}

function versionIn(text: string | undefined): string | undefined {
  return text === undefined ? undefined : VERSION.exec(text)?.[1];
}
