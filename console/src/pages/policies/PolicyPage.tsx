import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { access } from '../../api/client.ts';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Missing } from '../../shell/Missing.tsx';
import { usePlace } from '../../shell/page.ts';
import * as texts from './texts.ts';
import { Workbench } from './Workbench.tsx';

const READ = 'GET /sys/policies/acl/{name}';
/** Polling interval, milliseconds. Another user may change the policy. */
const EVERY_MS = 5_000;

const route = getRouteApi('/signed-in/~access/policies/acl/$name');

/** One policy: its text, and the effect of the text. */
export function PolicyPage() {
  const { name } = route.useParams();
  const input = { path: { name } };
  usePlace([{ label: texts.access }, { label: texts.policies, to: '/~access/policies' }, { label: name }]);
  usePathLine({ request: access.request(READ, input), command: `lockkeeper read sys/policies/acl/${name}` });
  const policy = useQuery({ ...access.query(READ, input), refetchInterval: EVERY_MS });
  return (
    <QueryResult
      query={policy}
      what={texts.policy2(name)}
      missing={<Missing capability="read" path={`sys/policies/acl/${name}`} />}
      isPage
    >
      {({ data }) => <Workbench key={data.name} stored={data} />}
    </QueryResult>
  );
}
