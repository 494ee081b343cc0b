import type { ReactNode } from 'react';
import type { Resources } from '../../api/client.ts';
import * as texts from './texts.ts';

/** Characters of a commit id that people read. */
const SHORT = 7;

type Origin = Resources['ingress-attributes']['attributes'];

/** First line of a commit message. */
export const firstLine = (message: string): string => message.split('\n', 1)[0] ?? '';

/** Short id of a commit, with a link to its page at the provider if there is one. */
export function CommitId({ id, url }: { readonly id: string; readonly url?: string | null }) {
  return (
    <External to={url}>
      <code title={id}>{id.slice(0, SHORT)}</code>
    </External>
  );
}

/** Branch or tag of a commit, or its pull request. */
export function CommitPlace({ of }: { readonly of: Origin }) {
  const { 'pull-request-number': number, 'pull-request-url': url, 'pull-request-title': title } = of;
  if (number !== null) {
    return (
      <External to={url}>
        <bdi title={title ?? undefined}>{texts.pullRequest(number)}</bdi>
      </External>
    );
  }
  return <bdi>{of.tag === null ? texts.onBranch(of.branch ?? '') : texts.tag(of.tag)}</bdi>;
}

/** Link to another server, in a new tab; plain content if it is no web address. */
export function External({ to, children }: { readonly to?: string | null | undefined; readonly children: ReactNode }) {
  if (!to || !/^https?:/.test(to)) return children;
  return (
    <a className="link" href={to} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
