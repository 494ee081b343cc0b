import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { workspaces } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { counted } from '../../format/number.ts';
import { Field, Select } from '../form/Field.tsx';
import { inQuery, isApp, useConnections } from './connections.ts';
import * as texts from './texts.ts';
import { useSettled } from './use-settled.ts';

/** Repository that a workspace follows. Without a connection it follows none. */
export interface Repository {
  readonly connection: string;
  readonly identifier: string;
  /** Empty: the default branch. */
  readonly branch: string;
}

interface RepositoryFieldsProps {
  readonly organization: string;
  readonly value: Repository;
  readonly onValue: (change: Partial<Repository>) => void;
  readonly off?: string | false | undefined;
  /** Whether a branch can be chosen; workspaces that follow tags need none. */
  readonly hasBranch?: boolean;
}

/** Selects a connection, a repository by search, and a branch by search. */
export function RepositoryFields({ organization, value, onValue, off, hasBranch = true }: RepositoryFieldsProps) {
  const { connections, isPending, error } = useConnections(organization);
  const { connection } = value;
  const known = connections.find(({ id }) => id === connection);
  const current = connection !== '' && !known ? [[connection, texts.currentConnection] as const] : [];
  if (!isPending && connections.length === 0 && connection === '') {
    return error ? <p className="soft">{texts.youMayNotList}</p> : <NoConnection organization={organization} />;
  }
  return (
    <>
      <Select
        name={isApp(connection) ? 'vcs-repo/github-app-installation-id' : 'vcs-repo/oauth-token-id'}
        label={texts.connection}
        off={off}
        value={connection}
        help={known?.problem || (error && texts.youMayNotList)}
        options={[['', texts.noRepository], ...current, ...connections.map(({ id, label }) => [id, label] as const)]}
        onText={(next) => onValue({ connection: next })}
      />
      {connection !== '' && (
        <RepositoryField
          connection={connection}
          value={value.identifier}
          off={off}
          onText={(identifier) => onValue({ identifier })}
        />
      )}
      {connection !== '' && hasBranch && (
        <BranchField organization={organization} of={value} off={off} onText={(branch) => onValue({ branch })} />
      )}
    </>
  );
}

function NoConnection({ organization }: { readonly organization: string }) {
  return (
    <p>
      {texts.theOrganizationHasNo}{' '}
      <Link className="link" to="/$organization/settings/version-control/new" params={{ organization }}>
        {texts.settingsConnections}
      </Link>
      .
    </p>
  );
}

interface TextProps {
  readonly off?: string | false | undefined;
  readonly onText: (text: string) => void;
}

function RepositoryField({ connection, value, ...field }: TextProps & { connection: string; value: string }) {
  const search = useSettled(value);
  const repositories = useQuery({
    queryKey: ['repositories', connection, search],
    queryFn: () => findRepositories(connection, search),
    placeholderData: keepPreviousData,
    enabled: !field.off,
    retry: false,
  });
  const { names = [], hasMore = false } = repositories.data ?? {};
  const isExact = names.includes(value);
  return (
    <Field
      {...field}
      name="vcs-repo/identifier"
      label={texts.repository}
      value={value}
      help={repositoryHelp(repositories.error, repositories.isFetching, names.length, hasMore, value !== '' && isExact)}
      suggestions={names}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

function repositoryHelp(
  error: Error | null,
  isFetching: boolean,
  count: number,
  hasMore: boolean,
  isChosen: boolean,
): string {
  if (error) return texts.listFailed(error.message.replace(/\.$/, ''));
  if (isFetching) return texts.searching;
  if (isChosen) return texts.typePartOf;
  if (count === 0) return texts.noneFound;
  const repositories = counted(count, 'repository', 'repositories');
  return hasMore ? texts.firstFound(repositories) : texts.found(repositories);
}

async function findRepositories(connection: string, search: string) {
  const query = search === '' ? {} : { 'search[name]': search };
  if (!isApp(connection)) {
    const path = { oauth_token_id: connection };
    const { data, meta } = await workspaces.send('GET /oauth-tokens/{oauth_token_id}/authorized-repos', {
      path,
      query,
    });
    return { names: data.map(({ attributes }) => attributes.name), hasMore: meta['next-page'] !== null };
  }
  const path = { github_app_installation_id: connection };
  const { data, meta } = await workspaces.send('GET /github-app-installations/{github_app_installation_id}/repos', {
    ...{ path, query },
  });
  return { names: data.map(({ attributes }) => attributes.identifier), hasMore: meta.pagination['next-page'] !== null };
}

function BranchField({ organization, of, ...field }: TextProps & { organization: string; of: Repository }) {
  const identifier = useSettled(of.identifier);
  const search = useSettled(of.branch);
  const branches = useQuery({
    ...workspaces.query('GET /organizations/{organization_name}/vcs/branches', {
      path: { organization_name: organization },
      query: { ...inQuery(of.connection), identifier, ...(search !== '' && { 'search[name]': search }) },
    }),
    enabled: !field.off && /.\/./.test(identifier),
    retry: false,
  });
  const names = branches.data?.data.map(({ attributes }) => attributes.name) ?? [];
  const main = branches.data?.data.find(({ attributes }) => attributes['is-default'])?.attributes.name;
  const isUnknown = branches.isSuccess && search === of.branch && search !== '' && !names.includes(search);
  return (
    <Field
      {...field}
      name="vcs-repo/branch"
      label={texts.branch}
      value={of.branch}
      help={
        (branches.error instanceof ApiError && texts.branchesFailed(branches.error.message)) ||
        (isUnknown && texts.noSuchBranch(search)) ||
        (main ? texts.defaultBranchIs(main) : texts.defaultBranchOf)
      }
      suggestions={names}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
