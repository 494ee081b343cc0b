import { useQuery } from '@tanstack/react-query';
import { workspaces } from '../../api/client.ts';
import * as texts from './texts.ts';

const CLIENTS = 'GET /organizations/{organization_name}/oauth-clients';
const INSTALLATIONS = 'GET /organizations/{organization_name}/github-app-installations';
const ALL = { 'page[size]': '100' };

/** A connection through which workspaces can follow repositories: a token, or an installation of a GitHub App. */
export interface Connection {
  /** Id of the token (`ot-…`) or of the installation (`ghain-…`). */
  readonly id: string;
  readonly label: string;
  /** Reason why it does not work now; empty if it works. */
  readonly problem: string;
}

interface Health {
  readonly 'connection-status': 'unverified' | 'ok' | 'refused' | 'unreachable';
  readonly 'connection-status-reason': string | null;
}

/** Loads the connections of an organization: those by a token, then those by a GitHub App. */
export function useConnections(organization: string) {
  const path = { organization_name: organization };
  const clients = useQuery(workspaces.query(CLIENTS, { path, query: ALL }));
  const installations = useQuery(workspaces.query(INSTALLATIONS, { path, query: ALL }));
  const byToken = (clients.data?.data ?? []).flatMap(({ attributes, relationships }) =>
    relationships['oauth-tokens'].data.map(({ id }) => ({
      id,
      label: attributes.name || `${attributes['service-provider-display-name']} (${attributes['http-url']})`,
      problem: problemOf(attributes),
    })),
  );
  const byApp = (installations.data?.data ?? []).map(({ id, attributes }) => ({
    id,
    label: texts.appOf(attributes.name),
    problem: problemOf(attributes),
  }));
  const connections: readonly Connection[] = [...byToken, ...byApp];
  return { connections, isPending: clients.isPending || installations.isPending, error: clients.error };
}

function problemOf({ 'connection-status': status, 'connection-status-reason': reason }: Health): string {
  if (status === 'ok') return '';
  if (status === 'unverified') return texts.isUnverified;
  return (status === 'refused' ? texts.isRefused : texts.isUnreachable)(reason ?? texts.unknownReason);
}

/** Whether the connection is an installation of a GitHub App. */
export const isApp = (connection: string): boolean => connection.startsWith('ghain-');

/** Returns the query parameter that names a connection. */
export const inQuery = (connection: string) =>
  isApp(connection) ? { githubAppInstallationId: connection } : { oauth_token_id: connection };

/** Returns the attributes of `vcs-repo` that name a connection. */
export const inBody = (connection: string) =>
  isApp(connection) ? { 'github-app-installation-id': connection } : { 'oauth-token-id': connection };
