import { useQuery } from '@tanstack/react-query';
import { workspaces } from '../../api/client.ts';
import { Answered } from '../../components/faces/Answered.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Section } from '../../components/section/Section.tsx';
import { count } from '../../format/number.ts';
import { usePart } from './part.tsx';

const CAPACITY = 'GET /organizations/{organization_name}/capacity';

/** What is being carried out, what waits, and what the installation can do. */
export function Capacity() {
  const { path } = usePart('Capacity', (name) => workspaces.request(CAPACITY, { path: { organization_name: name } }));
  const capacity = useQuery({ ...workspaces.query(CAPACITY, { path }), refetchInterval: 10_000 });
  const entitled = useQuery(workspaces.query('GET /organizations/{organization_name}/entitlement-set', { path }));
  return (
    <>
      <Section title="Runs now">
        <Answered query={capacity} what="The capacity">
          {({ data: { attributes } }) => (
            <Facts
              of={[
                ['Carried out', count(attributes.running)],
                ['Waiting', count(attributes.pending)],
              ]}
            />
          )}
        </Answered>
      </Section>
      <Section title="What is there">
        <Answered query={entitled} what="The entitlements">
          {({ data: { attributes } }) => {
            const named = (isOn: boolean) =>
              Object.entries(attributes).flatMap(([name, value]) =>
                value === isOn ? [name.replaceAll('-', ' ')] : [],
              );
            return (
              <Facts
                of={[
                  ['There', named(true).join(', ')],
                  [
                    'Not there',
                    <span key="not" className="soft">
                      {named(false).join(', ')}
                    </span>,
                  ],
                ]}
              />
            );
          }}
        </Answered>
      </Section>
    </>
  );
}
