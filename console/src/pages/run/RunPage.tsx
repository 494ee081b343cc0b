import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { workspaces } from '../../api/client.ts';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { RunState } from '../../components/state/State.tsx';
import { exact } from '../../format/time.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';

const route = getRouteApi('/signed-in/$organization/workspaces/$workspace/runs/$run');

/** A run, where command lines lead to: how it stands. */
export function RunPage() {
  const { organization, workspace, run: id } = route.useParams();
  const input = { path: { run_id: id } };
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: workspace, to: `/${organization}/workspaces/${workspace}` },
    { label: id },
  ]);
  const request = workspaces.request('GET /runs/{run_id}', input);
  usePathLine({ request, command: `lockkeeper api GET runs/${id}` });
  const run = useQuery({ ...workspaces.query('GET /runs/{run_id}', input), refetchInterval: 2_000 });
  return (
    <Answered query={run} what={`Run ${id}`} missing={<code>can-read-run</code>} isPage>
      {({ data: { attributes } }) => (
        <>
          <PageHead title={attributes.message || id} beside={<RunState status={attributes.status} />} />
          <Facts
            of={[
              ['Id', <Copyable key="id" text={id} what="id" />],
              ['Begun', exact(attributes['created-at'])],
              ['Engine', <code key="engine">{attributes['terraform-version']}</code>],
              ['Plan only', attributes['plan-only'] && 'yes'],
              ['Destroys', attributes['is-destroy'] && 'yes'],
              ['Waits for', attributes['waiting-for']],
            ]}
          />
        </>
      )}
    </Answered>
  );
}
