import { useMutation } from '@tanstack/react-query';
import { type Resources, workspaces } from '../../../api/client.ts';
import { Button } from '../../../components/button/Button.tsx';
import { Table } from '../../../components/table/Table.tsx';
import { CommitId } from '../../../components/vcs/Commit.tsx';
import { inQuery } from '../../../components/vcs/connections.ts';
import { type Followed, isSameRepository, triggersOf } from '../../../components/vcs/triggers.ts';
import { Outcome, Reason } from '../../../components/vcs/Verdict.tsx';
import { count } from '../../../format/number.ts';
import * as texts from './texts.ts';
import styles from './workspace-vcs.module.css';

interface PreviewProps {
  readonly organization: string;
  readonly workspace: Resources['workspaces'];
  /** Saved values. */
  readonly before: Followed;
  readonly value: Followed;
  readonly off: string | false;
}

/** Shows which of the last commits would have started a run with the values of the form. */
export function Preview({ organization, workspace, before, value, off }: PreviewProps) {
  const asked = JSON.stringify(value);
  const show = useMutation({
    mutationFn: async () => ({ ...(await request({ organization, workspace, before, value })), asked }),
  });
  const shown = show.data;
  return (
    <section className={styles.preview} aria-label={texts.preview}>
      <p className={styles.start}>
        <Button off={off} onClick={() => show.mutate()}>
          {show.isPending ? `${texts.preview}…` : texts.preview}
        </Button>
        <span className="soft">{off || texts.whichOfThe}</span>
      </p>
      {show.error && (
        <p className={styles.fault} role="alert">
          {show.error.message}
        </p>
      )}
      {shown && !show.isPending && (
        <>
          <p role="status">
            {shown.data.length === 0 ? texts.noCommits : summaryOf(shown.data)}{' '}
            {shown.asked !== asked && <span className="soft">{texts.changedSince}</span>}
          </p>
          {shown.data.length > 0 && <Previewed commits={shown.data} />}
        </>
      )}
    </section>
  );
}

function request({ organization, workspace, before, value }: Omit<PreviewProps, 'off'>) {
  const triggers = triggersOf(value);
  // The server knows the saved repository already, and lets everyone preview it who may read the settings.
  if (before.connection !== '' && isSameRepository(before, value)) {
    return workspaces.send('POST /workspaces/{workspace_id}/vcs-preview', {
      path: { workspace_id: workspace.id },
      body: { data: { type: 'workspaces', attributes: triggers } } as never,
    });
  }
  const attributes = { ...triggers, 'working-directory': workspace.attributes['working-directory'] };
  return workspaces.send('POST /organizations/{organization_name}/vcs/preview', {
    path: { organization_name: organization },
    query: { ...inQuery(value.connection), identifier: value.identifier.trim() },
    body: { data: { type: 'workspaces', attributes } } as never,
  });
}

type Commit = Resources['vcs-previews'];

function summaryOf(commits: readonly Commit[]): string {
  const runs = commits.filter(({ attributes }) => attributes.outcome !== 'skipped').length;
  return texts.startRuns(count(runs), commits.length);
}

function Previewed({ commits }: { readonly commits: readonly Commit[] }) {
  return (
    <Table
      label={texts.previewOf}
      flush
      twoLines
      className={styles.commits ?? ''}
      items={commits}
      keyOf={({ id }) => id}
      columns={[
        {
          id: 'commit',
          head: texts.commit,
          isName: true,
          className: styles.commit,
          cell: ({ attributes }) => (
            <>
              <CommitId id={attributes['commit-sha']} /> <bdi>{attributes.message ?? attributes.ref}</bdi>
            </>
          ),
        },
        {
          id: 'result',
          head: texts.result,
          className: styles.result,
          cell: ({ attributes }) => <Outcome of={attributes} />,
        },
        {
          id: 'reason',
          head: texts.reason,
          className: styles.why,
          cell: ({ attributes }) => <Reason of={attributes} />,
        },
      ]}
    />
  );
}
