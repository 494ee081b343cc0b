import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { access } from '../../api/client.ts';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { PolicyNames } from '../../components/policy-names/PolicyNames.tsx';
import { Section, Split } from '../../components/section/Section.tsx';
import { count } from '../../format/number.ts';
import { exact } from '../../format/time.ts';
import { Missing } from '../../shell/Missing.tsx';
import { useMay } from '../../shell/may.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import styles from './identities.module.css';
import { PoliciesForm } from './PoliciesForm.tsx';
import * as texts from './texts.ts';

const READ = 'GET /identity/group/id/{id}';
const WRITE = 'POST /identity/group/id/{id}';
/** @limit members of a group that its page shows, members -> the others are counted */
const MOST_MEMBERS = 200;
const route = getRouteApi('/signed-in/~access/identities/group/$id');

/** One group: its policies and its members. */
export function GroupPage() {
  const { id } = route.useParams();
  const input = { path: { id } };
  const path = `identity/group/id/${id}`;
  const group = useQuery(access.query(READ, input));
  usePlace([
    { label: texts.access },
    { label: texts.identities, to: '/~access/identities' },
    { label: texts.groups, to: '/~access/identities/groups' },
    { label: group.data?.data.name ?? id },
  ]);
  usePathLine({ request: access.request(READ, input), command: `lockkeeper read ${path}` });
  const may = useMay([path]);
  return (
    <QueryResult query={group} what={texts.group(id)} missing={<Missing capability="read" path={path} />} isPage>
      {({ data }) => (
        <>
          <PageHead title={data.name} beside={<span className="soft">{texts.group2(data.type)}</span>} />
          <Split
            aside={
              <>
                <h2>{texts.group3}</h2>
                <Facts
                  of={[
                    [texts.id, <Copyable key="id" text={data.id} what={texts.id2} />],
                    [texts.created, exact(data.creation_time)],
                    [texts.updated, exact(data.last_update_time)],
                    [texts.alias, data.alias.name && texts.at2(data.alias.name, data.alias.mount_path)],
                    ...Object.entries(data.metadata),
                  ]}
                />
              </>
            }
          >
            <Section title={texts.policies} note={texts.thatTheGroupGives}>
              {may(path, 'update') ? (
                <PoliciesForm
                  key={data.policies.join()}
                  policies={data.policies}
                  save={(policies) => access.send(WRITE, { path: { id }, body: { policies } })}
                />
              ) : (
                <PolicyNames names={data.policies} />
              )}
            </Section>
            <Members title={texts.entities} ids={data.member_entity_ids} to="/~access/identities/entity/$id" />
            <Members title={texts.subgroups} ids={data.member_group_ids} to="/~access/identities/group/$id" />
            <Members title={texts.parentGroups} ids={data.parent_group_ids} to="/~access/identities/group/$id" />
          </Split>
        </>
      )}
    </QueryResult>
  );
}

interface MembersProps {
  readonly title: string;
  readonly ids: readonly string[];
  readonly to: '/~access/identities/entity/$id' | '/~access/identities/group/$id';
}

function Members({ title, ids, to }: MembersProps) {
  if (ids.length === 0) return null;
  return (
    <Section title={title} note={count(ids.length)}>
      <ul className={styles.members}>
        {ids.slice(0, MOST_MEMBERS).map((id) => (
          <li key={id}>
            <Link className="link mono" to={to} params={{ id }}>
              {id}
            </Link>
          </li>
        ))}
      </ul>
      {ids.length > MOST_MEMBERS && <p className="soft">{texts.andMore3(count(ids.length - MOST_MEMBERS))}</p>}
    </Section>
  );
}
