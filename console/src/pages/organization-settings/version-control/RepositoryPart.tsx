import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { workspaces } from '../../../api/client.ts';
import { buttonClass } from '../../../components/button/Button.tsx';
import { Facts } from '../../../components/facts/Facts.tsx';
import { QueryResult } from '../../../components/page-states/QueryResult.tsx';
import { Section } from '../../../components/section/Section.tsx';
import { Ago } from '../../../components/time/Time.tsx';
import { counted } from '../../../format/number.ts';
import { NotForYou, usePart } from '../part.tsx';
import { EVERY_MS } from './connection.ts';
import { Deliveries } from './Deliveries.tsx';
import { LookNow, RepositoryHealth } from './Repositories.tsx';
import type { Repository } from './repository.ts';
import * as texts from './texts.ts';
import styles from './version-control.module.css';
import { Webhook } from './Webhook.tsx';

const ONE = 'GET /vcs-repositories/{vcs_repository_id}';
const route = getRouteApi('/signed-in/$organization/settings/version-control/repositories/$repository');

/** A repository that workspaces follow: its health, its webhook and the deliveries. */
export function RepositoryPart() {
  const { repository: id } = route.useParams();
  const path = { vcs_repository_id: id };
  const { may } = usePart(
    texts.repository,
    () => workspaces.request(ONE, { path }),
    () => `lockkeeper api GET vcs-repositories/${id}`,
    [{ label: texts.versionControl, to: '/version-control' }],
  );
  const manages = may?.['can-update-oauth'] ?? false;
  const query = useQuery({ ...workspaces.query(ONE, { path }), enabled: manages, refetchInterval: EVERY_MS });
  if (may && !manages) return <NotForYou needs="can-update-oauth" />;
  return (
    <QueryResult query={query} what={texts.theRepository}>
      {({ data }) => (
        <>
          <Head repository={data} />
          <Webhook repository={data} />
          <Deliveries repository={data} />
        </>
      )}
    </QueryResult>
  );
}

function Head({ repository }: { readonly repository: Repository }) {
  const { attributes } = repository;
  return (
    <Section title={attributes['display-identifier']}>
      <Facts
        of={[
          [
            texts.health,
            <span key="health">
              <RepositoryHealth repository={repository} />
              <span className="soft">
                {' '}
                {texts.since} <Ago time={attributes['health-since']} inWords /> {texts.ago}
              </span>
            </span>,
          ],
          [texts.reason, attributes['health-reason']],
          [texts.defaultBranch, attributes['default-branch'] && <code key="b">{attributes['default-branch']}</code>],
          [texts.followedBy, counted(attributes['workspace-count'], 'workspace')],
          [
            texts.lastLook,
            attributes['looked-up-at'] ? (
              <span key="look">
                <Ago time={attributes['looked-up-at']} inWords /> {texts.ago}
              </span>
            ) : (
              texts.never
            ),
          ],
        ]}
      />
      <div className={styles.actions}>
        <LookNow repository={repository} />
        <a className={buttonClass()} href={attributes['http-url']} target="_blank" rel="noreferrer">
          {texts.openRepository} <span className="sr">{texts.opensInANewTab}</span>
        </a>
      </div>
    </Section>
  );
}
