import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { RetentionForm, retentionInWords } from '../../components/retention/RetentionForm.tsx';
import { Section } from '../../components/section/Section.tsx';
import { usePart } from './part.tsx';
import * as texts from './texts.ts';

const AT = '/organizations/{organization_name}/relationships/data-retention-policy';

/** Retention of old state versions, configuration versions and runs, for workspaces without their own policy. */
export function Retention() {
  const { path, answer, may } = usePart(texts.retention, (name) =>
    workspaces.request(`GET ${AT}`, { path: { organization_name: name } }),
  );
  const isSet = Boolean(answer?.data.relationships['data-retention-policy']?.data);
  const [isGoing, setGoing] = useState(false);
  // Without a policy the API returns 404.
  const asked = useQuery({ ...workspaces.query(`GET ${AT}`, { path }), enabled: isSet && !isGoing });
  if (!answer || (isSet && !asked.data)) return null;
  const policy = isSet ? asked.data?.data : undefined;
  return (
    <Section title={texts.retention}>
      <p>{policy ? retentionInWords(policy) : texts.nothingIsDeletedUnless}</p>
      {may?.['can-update'] && (
        <RetentionForm
          key={JSON.stringify(policy)}
          policy={policy}
          none={texts.noPolicy}
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
