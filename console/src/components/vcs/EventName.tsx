import type { Resources } from '../../api/client.ts';
import { CommitId, External } from './Commit.tsx';
import * as texts from './texts.ts';
import styles from './vcs.module.css';

type Event = Resources['vcs-events']['attributes'];

/** Branch, tag or pull request of an event. */
export function placeOf({ kind, ref, 'after-sha': commit, 'pull-request-number': number }: Event): string {
  if (kind === 'pull') {
    const name = texts.pullRequest(number ?? 0);
    return commit === null ? texts.closed(name) : texts.from(name, ref);
  }
  const name = (kind === 'tag' ? texts.tag : texts.onBranch)(ref);
  return commit === null ? texts.deleted(name) : name;
}

/** Commit, place and sender of an event, with its changes at the provider. */
export function EventName({ of }: { readonly of: Event }) {
  const { 'after-sha': commit, 'sender-name': sender, 'compare-url': compare } = of;
  return (
    <span className={styles.event}>
      {commit !== null && <CommitId id={commit} />} <bdi>{placeOf(of)}</bdi>
      {sender !== null && <bdi className="soft"> {texts.by(sender)}</bdi>}
      {compare !== null && (
        <>
          {' '}
          <External to={compare}>{texts.changes}</External>
        </>
      )}
    </span>
  );
}
