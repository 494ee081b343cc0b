import { useNavigate } from '@tanstack/react-router';
import { workspaces } from '../../api/client.ts';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Section } from '../../components/section/Section.tsx';
import { counted } from '../../format/number.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { GivenTo } from './GivenTo.tsx';
import { SetForm } from './SetForm.tsx';
import { SetVariables } from './SetVariables.tsx';
import * as texts from './texts.ts';
import { useSet, type VariableSet } from './use-set.ts';

/** Page of a variable set: variables, availability, settings and deletion. */
export function VariableSetPage() {
  const { organization, id, query, request } = useSet();
  const name = query.data?.data.attributes.name ?? id;
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: texts.variableSets, to: `/${organization}/variable-sets` },
    { label: name },
  ]);
  usePathLine({ request, command: `lockkeeper api GET '${request.address.replace('/api/v2/', '')}'` });
  return (
    <QueryResult query={query} what={texts.theVariableSet} missing={<code>can-read-varsets</code>} isPage>
      {({ data, included = [] }) => {
        const mayChange = data.attributes.permissions['can-update'];
        return (
          <>
            <PageHead title={data.attributes.name} lede={data.attributes.description || whatWins(data)} />
            <SetVariables set={id} mayChange={mayChange} />
            <GivenTo organization={organization} set={data} included={included} />
            {mayChange && (
              <>
                <Section title={texts.settings}>
                  <SetForm key={id} set={data} />
                </Section>
                <Section title={texts.deletion}>
                  <Deletion organization={organization} set={data} />
                </Section>
              </>
            )}
          </>
        );
      }}
    </QueryResult>
  );
}

function whatWins({ attributes: { priority } }: VariableSet): string {
  return priority ? texts.thisSetHasPriority : texts.valuesOfAWorkspace;
}

function Deletion({ organization, set }: { readonly organization: string; readonly set: VariableSet }) {
  const navigate = useNavigate();
  const { name, global } = set.attributes;
  const goes = counted(set.attributes['var-count'], 'variable');
  const loses = global
    ? texts.everyWorkspaceOfTheOrganization2
    : texts.and(
        counted(set.attributes['workspace-count'], 'workspace'),
        counted(set.attributes['project-count'], 'project'),
      );
  return (
    <>
      <p>{texts.thisAlsoDeletesRuns(goes, loses)}</p>
      <p>
        <Destroy
          verb={texts.deleteText}
          what={texts.set(name)}
          name={name}
          run={() => workspaces.send('DELETE /varsets/{varset_id}', { path: { varset_id: set.id } })}
          onDone={() => navigate({ to: '/$organization/variable-sets', params: { organization } })}
        >
          <p>{texts.losesThem(goes, loses)}</p>
        </Destroy>
      </p>
    </>
  );
}
