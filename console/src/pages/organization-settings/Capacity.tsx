import { useQuery } from '@tanstack/react-query';
import { workspaces } from '../../api/client.ts';
import { Answered } from '../../components/faces/Answered.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
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
          {({ data: { attributes } }) => (
            <Facts
              of={Object.entries(attributes)
                .filter(([, value]) => typeof value === 'boolean')
                .map(([name, isOn]) => [
                  name.replaceAll('-', ' '),
                  <span key={name} className={isOn ? '' : 'soft'}>
                    <Icon name={isOn ? 'check' : 'minus'} is={isOn ? 'good' : 'idle'} /> {isOn ? 'yes' : 'no'}
                  </span>,
                ])}
            />
          )}
        </Answered>
      </Section>
    </>
  );
}
