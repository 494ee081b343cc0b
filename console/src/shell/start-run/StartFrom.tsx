import { useQuery } from '@tanstack/react-query';
import { type Resources, workspaces } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';
import { Field, Select } from '../../components/form/Field.tsx';
import { firstLine } from '../../components/vcs/Commit.tsx';
import * as texts from './texts.ts';

/** Configuration of a new run: the latest one, the newest commit that the workspace follows, or another ref. */
export type From = 'latest' | 'newest' | 'ref';

interface StartFromProps {
  readonly workspace: Resources['workspaces'];
  readonly from: From;
  readonly gitRef: string;
  readonly onFrom: (from: From) => void;
  readonly onRef: (ref: string) => void;
}

/** Selects the configuration of a run in a workspace that follows a repository. */
export function StartFrom({ workspace, from, gitRef, onFrom, onRef }: StartFromProps) {
  return (
    <>
      <Select
        label={texts.configuration}
        value={from}
        help={<Help workspaceId={workspace.id} from={from} />}
        options={[
          ['newest', texts.newestCommit(workspace.attributes['vcs-repo']?.branch ?? '')],
          ['ref', texts.anotherBranchOr],
          ['latest', texts.latestConfiguration],
        ]}
        onText={(next) => onFrom(next as From)}
      />
      {from === 'ref' && (
        <Field
          name="vcs-ref"
          label={texts.branchTagOr}
          help={texts.onlyTheNewest}
          value={gitRef}
          onText={onRef}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </>
  );
}

function Help({ workspaceId, from }: { readonly workspaceId: string; readonly from: From }) {
  const path = { workspace_id: workspaceId };
  const commits = useQuery({
    ...workspaces.query('GET /workspaces/{workspace_id}/vcs-preview', { path, query: { count: '20' } }),
    retry: false,
    enabled: from === 'newest',
  });
  const versions = useQuery(
    workspaces.query('GET /workspaces/{workspace_id}/configuration-versions', {
      path,
      query: { 'page[size]': '20', include: 'ingress_attributes' },
    }),
  );
  const latest = versions.data?.data.find(({ attributes }) => attributes.status === 'uploaded');
  const origin =
    versions.data &&
    related(versions.data, latest?.relationships['ingress-attributes'].data, 'ingress-attributes')?.attributes;
  if (from === 'latest') {
    if (versions.data && !latest) return texts.thereIsNone;
    return origin ? texts.itIsCommit(origin['commit-sha'].slice(0, 7), firstLine(origin['commit-message'])) : '';
  }
  if (from === 'ref') return texts.theServerFetches;
  if (commits.error) return texts.theNewestCommit(commits.error.message);
  if (!commits.data) return texts.lookingUp;
  const shown = commits.data.data.map(({ attributes }) => attributes);
  const [newest] = shown;
  if (newest === undefined) return texts.noCommit;
  // A workspace that follows tags has no newest commit.
  if (newest.message === null) return texts.theServerFetches;
  const ahead = shown.findIndex(({ 'commit-sha': sha }) => sha === origin?.['commit-sha']);
  return [texts.newestIs(newest['commit-sha'].slice(0, 7), newest.message), ahead >= 0 && texts.aheadBy(ahead)]
    .filter(Boolean)
    .join(' ');
}
