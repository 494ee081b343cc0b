import { Facts } from '../../components/facts/Facts.tsx';
import { CommitId, CommitPlace, External, firstLine } from '../../components/vcs/Commit.tsx';
import { originOf } from '../../components/vcs/origin.ts';
import * as texts from './texts.ts';
import type { RunAnswer } from './use-run.ts';

/** Commit of a run in one line; nothing for an uploaded configuration. */
export function RunCommit({ answer }: { readonly answer: RunAnswer }) {
  const origin = originOf(answer, answer.data);
  if (origin === undefined) return null;
  return (
    <>
      {texts.commit} <CommitId id={origin['commit-sha']} url={origin['commit-url']} /> {texts.on}{' '}
      <CommitPlace of={origin} />.{' '}
    </>
  );
}

/** Details of the commit of a run. */
export function RunOrigin({ answer }: { readonly answer: RunAnswer }) {
  const origin = originOf(answer, answer.data);
  if (origin === undefined) return null;
  const { 'pull-request-title': title, 'compare-url': compare, 'sender-username': sender } = origin;
  return (
    <section>
      <h2>{texts.commit2}</h2>
      <Facts
        of={[
          [texts.commit2, <CommitId key="commit" id={origin['commit-sha']} url={origin['commit-url']} />],
          [texts.message, <bdi key="message">{firstLine(origin['commit-message'])}</bdi>],
          [texts.from, <CommitPlace key="place" of={origin} />],
          [texts.title, title && <bdi key="title">{title}</bdi>],
          [
            texts.pushedBy,
            sender && (
              <External key="sender" to={origin['sender-html-url']}>
                <bdi>{sender}</bdi>
              </External>
            ),
          ],
          [texts.repository, <bdi key="repository">{origin.identifier}</bdi>],
          [texts.difference, compare && <External to={compare}>{texts.openAtTheProvider}</External>],
        ]}
      />
    </section>
  );
}
