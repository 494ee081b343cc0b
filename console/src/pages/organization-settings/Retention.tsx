import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { RetentionForm, retentionInWords } from '../../components/retention/RetentionForm.tsx';
import { Section } from '../../components/section/Section.tsx';
import { usePart } from './part.tsx';

const AT = '/organizations/{organization_name}/relationships/data-retention-policy';

/** How long old states, configurations and runs are kept where a workspace does not say it. */
export function Retention() {
  const { path, answer, may } = usePart('Retention', (name) =>
    workspaces.request(`GET ${AT}`, { path: { organization_name: name } }),
  );
  const isSet = Boolean(answer?.data.relationships['data-retention-policy']?.data);
  const [isGoing, setGoing] = useState(false);
  // Where there is none the question would be refused.
  const asked = useQuery({ ...workspaces.query(`GET ${AT}`, { path }), enabled: isSet && !isGoing });
  if (!answer || (isSet && !asked.data)) return null;
  const policy = isSet ? asked.data?.data : undefined;
  return (
    <Section title="Retention">
      <p>{policy ? retentionInWords(policy) : 'Everything is kept for ever, unless a workspace says otherwise.'}</p>
      {may?.['can-update'] && (
        <RetentionForm
          key={JSON.stringify(policy)}
          policy={policy}
          none="no policy"
          save={async (next) => {
            setGoing(next === undefined);
            if (next) return workspaces.send(`POST ${AT}`, { path, body: { data: next } });
            return workspaces.send(`DELETE ${AT}`, { path }).catch((error: unknown) => {
              setGoing(false);
              throw error;
            });
          }}
        />
      )}
    </Section>
  );
}
