import { useQuery } from '@tanstack/react-query';
import { workspaces } from '../../api/client.ts';
import { Facts } from '../../components/facts/Facts.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Section } from '../../components/section/Section.tsx';
import { count } from '../../format/number.ts';
import { usePart } from './part.tsx';
import * as texts from './texts.ts';

const CAPACITY = 'GET /organizations/{organization_name}/capacity';

/** Running and waiting runs, and the features of the server. */
export function Capacity() {
  const { path } = usePart(texts.capacity, (name) =>
    workspaces.request(CAPACITY, { path: { organization_name: name } }),
  );
  const capacity = useQuery({ ...workspaces.query(CAPACITY, { path }), refetchInterval: 10_000 });
  const entitled = useQuery(workspaces.query('GET /organizations/{organization_name}/entitlement-set', { path }));
  return (
    <>
      <Section title={texts.currentRuns}>
        <QueryResult query={capacity} what={texts.theCapacity}>
          {({ data: { attributes } }) => (
            <Facts
              of={[
                [texts.running, count(attributes.running)],
                [texts.waiting, count(attributes.pending)],
              ]}
            />
          )}
        </QueryResult>
      </Section>
      <Section title={texts.features}>
        <QueryResult query={entitled} what={texts.theEntitlements}>
          {({ data: { attributes } }) => {
            const named = (isOn: boolean) =>
              Object.entries(attributes).flatMap(([name, value]) =>
                value === isOn ? [name.replaceAll('-', ' ')] : [],
              );
            return (
              <Facts
                of={[
                  [texts.available, named(true).join(', ')],
                  [
                    texts.notAvailable,
                    <span key="not" className="soft">
                      {named(false).join(', ')}
                    </span>,
                  ],
                ]}
              />
            );
          }}
        </QueryResult>
      </Section>
    </>
  );
}
