import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useChange } from '../../../api/change.ts';
import { type Resources, workspaces } from '../../../api/client.ts';
import { serverNow } from '../../../api/clock.ts';
import { Button } from '../../../components/button/Button.tsx';
import { announce } from '../../../components/copy/announce.ts';
import { Copyable } from '../../../components/copy/Copyable.tsx';
import { Facts } from '../../../components/facts/Facts.tsx';
import type { Meaning } from '../../../components/icon/Icon.tsx';
import type { IconName } from '../../../components/icon/icons.tsx';
import { QueryResult } from '../../../components/page-states/QueryResult.tsx';
import { Section } from '../../../components/section/Section.tsx';
import { State } from '../../../components/state/State.tsx';
import { Ago } from '../../../components/time/Time.tsx';
import { External } from '../../../components/vcs/Commit.tsx';
import { exact } from '../../../format/time.ts';
import type { PartProps } from '../part.tsx';
import * as texts from './texts.ts';
import styles from './workspace-vcs.module.css';

const SHOW = 'GET /workspaces/{workspace_id}/vcs-link';
/** Polling interval, milliseconds. A look-up changes the times. */
const EVERY_MS = 5_000;

type LinkOf = Resources['vcs-links']['attributes'];

/** How the server follows the repository of a workspace: its health, its look-ups and its webhook. */
export function LinkStatus({ organization, workspace }: PartProps) {
  const path = { workspace_id: workspace.id };
  const link = useQuery({ ...workspaces.query(SHOW, { path }), refetchInterval: EVERY_MS });
  const look = useChange(
    () => workspaces.send('POST /workspaces/{workspace_id}/actions/look-up', { path }),
    () => announce(texts.lookUpRequested),
  );
  const mayLook = workspace.attributes.permissions['can-queue-run'];
  const off =
    (!mayLook && texts.requiresQueue) || (link.data?.data.attributes.state !== 'linked' && texts.notFollowing);
  return (
    <Section
      title={texts.connection}
      end={
        <Button look="small" off={off} onClick={() => look.mutate()}>
          {look.isPending ? texts.looking : texts.lookNow}
        </Button>
      }
    >
      {look.error && (
        <p className={styles.fault} role="alert">
          {look.error.message}
        </p>
      )}
      <QueryResult query={link} what={texts.theLink} missing={<code>can-read-settings</code>}>
        {({ data, data: { attributes } }) => (
          <Facts
            of={[
              [texts.state, <LinkState key="state" of={attributes} />],
              [texts.reasonOf, <bdi key="reason">{attributes.problem ?? problemOf(attributes)}</bdi>],
              [
                texts.repository,
                attributes['display-identifier'] && (
                  <External key="repository" to={attributes['http-url']}>
                    <bdi>{attributes['display-identifier']}</bdi>
                  </External>
                ),
              ],
              [texts.lastLookUp, <LookedUp key="last" at={attributes['looked-up-at']} />],
              [texts.nextLookUp, nextOf(attributes['next-look-up-at'])],
              [texts.events, <Events key="events" of={attributes} page={pageOf(organization, data)} />],
              [
                texts.lastDelivery,
                attributes['last-delivery-at'] && <LookedUp key="delivery" at={attributes['last-delivery-at']} />,
              ],
            ]}
          />
        )}
      </QueryResult>
    </Section>
  );
}

const problemOf = (of: LinkOf) => (of.health === 'ok' ? null : of['health-reason']);

const HEALTH: Readonly<Record<NonNullable<LinkOf['health']>, readonly [IconName, Meaning, string]>> = {
  ok: ['ok', 'good', texts.following],
  gone: ['err', 'bad', texts.notFound],
  forbidden: ['gate-shut', 'bad', texts.accessDenied],
  unreachable: ['warn', 'attention', texts.unreachable],
};

function LinkState({ of }: { readonly of: LinkOf }) {
  const isNew = of.health === 'ok' && of['looked-up-at'] === null;
  const [icon, is, words] =
    of.state === 'waiting' || isNew
      ? (['clock', 'idle', texts.waiting] as const)
      : of.health === null
        ? (['err', 'bad', texts.notFollowing] as const)
        : HEALTH[of.health];
  return (
    <State icon={icon} is={is}>
      {words}
    </State>
  );
}

function LookedUp({ at }: { readonly at: string | null }) {
  if (at === null) return texts.notYet;
  return (
    <>
      <Ago time={at} inWords /> {texts.ago}
    </>
  );
}

const nextOf = (at: string | null) => at && (Date.parse(at) <= serverNow() ? texts.nextNow : exact(at));

/** Link to the page of the repository, which has the secret of its webhook. */
function pageOf(organization: string, { relationships }: Resources['vcs-links']) {
  const repository = relationships['vcs-repository'].data?.id;
  if (repository === undefined) return null;
  return (
    <Link
      className="link"
      to="/$organization/settings/version-control/repositories/$repository"
      params={{ organization, repository }}
    >
      {texts.pageOfRepository}
    </Link>
  );
}

/** How the server learns of pushes. */
function Events({ of, page }: { readonly of: LinkOf; readonly page: ReactNode }) {
  const { 'webhook-state': state, 'webhook-url': url, 'webhook-problem': problem } = of;
  if (state === 'made') return texts.webhookMade;
  if (state === 'wanted') return texts.webhookWanted;
  if (state !== 'manual') return texts.polling;
  if (url === null) return texts.noUrl;
  return (
    <>
      {texts.webhookManual}
      <span className={styles.url}>
        <Copyable text={url} what={texts.url} />
      </span>
      {texts.secretOf} {page} {problem && <bdi className="soft">{problem}</bdi>}
    </>
  );
}
