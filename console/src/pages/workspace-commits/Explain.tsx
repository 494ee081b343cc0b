import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Resources, workspaces } from '../../api/client.ts';
import { Facts } from '../../components/facts/Facts.tsx';
import { Field, Select } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Approve } from '../../components/vcs/Approve.tsx';
import { CommitId } from '../../components/vcs/Commit.tsx';
import * as words from '../../components/vcs/texts.ts';
import { Outcome, Reason } from '../../components/vcs/Verdict.tsx';
import { exact } from '../../format/time.ts';
import type { WorkspaceAnswer } from '../../shell/workspace.ts';
import styles from './commits.module.css';
import { type CommitsSearch, SUBJECTS, type Subject } from './search.ts';
import * as texts from './texts.ts';

const route = getRouteApi('/signed-in/$organization/workspaces/$workspace/commits');

type Kind = Subject | 'newest';

const KINDS: readonly (readonly [Kind, string])[] = [
  ['newest', texts.theNewest],
  ['commit', texts.aCommit],
  ['branch', texts.aBranch],
  ['tag', texts.aTag],
  ['pull', texts.aPull],
];
const LABELS: Readonly<Record<Subject, string>> = {
  commit: texts.commitId,
  branch: texts.branchName,
  tag: texts.tagName,
  pull: texts.number,
};

interface ExplainProps {
  readonly answer: WorkspaceAnswer;
  readonly organization: string;
}

/** Explains the decision about any commit, branch, tag or pull request. The URL contains the question. */
export function Explain({ answer, organization }: ExplainProps) {
  const search = route.useSearch();
  const asked = SUBJECTS.find((name) => search[name] !== undefined);
  const [kind, setKind] = useState<Kind>(asked ?? 'newest');
  const [text, setText] = useState((asked && search[asked]) ?? '');
  const navigate = useNavigate({ from: '/$organization/workspaces/$workspace/commits' });
  const isAsked = asked !== undefined || search.newest !== undefined;
  const explanation = useQuery({
    ...workspaces.query('GET /workspaces/{workspace_id}/vcs-explanation', {
      path: { workspace_id: answer.data.id },
      query: asked ? { [asked]: search[asked] } : {},
    }),
    enabled: isAsked,
    retry: false,
  });
  const ask = () => {
    const question: CommitsSearch = kind === 'newest' ? { newest: 'yes' } : { [kind]: text.trim() };
    void navigate({ search: { ...(search.page && { page: search.page }), ...question }, resetScroll: false });
  };
  return (
    <Section title={texts.explainACommit}>
      <Form
        action={texts.explain}
        isPrimary={false}
        busy={isAsked && explanation.isFetching}
        fault={isAsked ? explanation.error : null}
        off={kind !== 'newest' && text.trim() === '' && texts.enterIt}
        onSubmit={ask}
      >
        <Select
          label={texts.kind}
          value={kind}
          help={texts.alsoFor}
          options={KINDS}
          onText={(next) => setKind(next as Kind)}
        />
        {kind !== 'newest' && (
          <Field
            name={kind}
            label={LABELS[kind]}
            help={kind === 'commit' && texts.all40}
            value={text}
            onText={setText}
            inputMode={kind === 'pull' ? 'numeric' : 'text'}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </Form>
      {isAsked && explanation.data && !explanation.isFetching && (
        <Explained of={explanation.data.data} answer={answer} organization={organization} />
      )}
    </Section>
  );
}

function Explained({ of, answer, organization }: ExplainProps & { readonly of: Resources['vcs-explanations'] }) {
  const { attributes, relationships } = of;
  const { id, attributes: workspace } = answer.data;
  const { 'commit-sha': commit, 'pull-request-number': number, 'decided-at': decided } = attributes;
  const run = relationships.run.data?.id;
  const place = { push: words.onBranch(attributes.ref), tag: words.tag(attributes.ref) };
  const mayApprove = attributes.code === 'fork-waits' && workspace.permissions['can-queue-run'];
  return (
    <div className={styles.explained} role="status">
      <p className="soft">{texts.source[attributes.source]}</p>
      <p className={styles.answer}>
        <Outcome of={attributes} />
        {run && (
          <Link
            className="link"
            to="/$organization/workspaces/$workspace/runs/$run"
            params={{ organization, workspace: workspace.name, run }}
          >
            {words.openRun}
          </Link>
        )}
        {mayApprove && number !== null && commit !== null && (
          <Approve workspaceId={id} workspace={workspace.name} pullRequest={number} commit={commit} />
        )}
      </p>
      <Reason of={attributes} />
      <Facts
        of={[
          [
            texts.about,
            <>
              {commit !== null && <CommitId id={commit} />}{' '}
              <bdi>{attributes.kind === 'pull' ? words.pullRequest(number ?? 0) : place[attributes.kind]}</bdi>
            </>,
          ],
          [texts.decided, decided && exact(decided)],
          [texts.reason, attributes.problem],
        ]}
      />
    </div>
  );
}
