import { useNavigate } from '@tanstack/react-router';
import { workspaces } from '../../api/client.ts';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Section } from '../../components/section/Section.tsx';
import { counted } from '../../format/number.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { GivenTo } from './GivenTo.tsx';
import { SetForm } from './SetForm.tsx';
import { SetVariables } from './SetVariables.tsx';
import { useSet, type VariableSet } from './use-set.ts';

/** A variable set: what is in it, who is given it, how it is called, and its end. */
export function VariableSetPage() {
  const { organization, id, query, request } = useSet();
  const name = query.data?.data.attributes.name ?? id;
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: 'Variable sets', to: `/${organization}/variable-sets` },
    { label: name },
  ]);
  usePathLine({ request, command: `lockkeeper api GET '${request.address.replace('/api/v2/', '')}'` });
  return (
    <Answered query={query} what="The variable set" missing={<code>can-read-varsets</code>} isPage>
      {({ data, included = [] }) => {
        const mayChange = data.attributes.permissions['can-update'];
        return (
          <>
            <PageHead title={data.attributes.name} lede={data.attributes.description || whatWins(data)} />
            <SetVariables set={id} mayChange={mayChange} />
            <GivenTo organization={organization} set={data} included={included} />
            {mayChange && (
              <>
                <Section title="Settings">
                  <SetForm key={id} set={data} />
                </Section>
                <Section title="Deletion">
                  <Deletion organization={organization} set={data} />
                </Section>
              </>
            )}
          </>
        );
      }}
    </Answered>
  );
}

function whatWins({ attributes: { priority } }: VariableSet): string {
  return priority
    ? 'It has priority: its values win over those that workspaces and runs set themselves.'
    : 'What a workspace or a run sets itself wins over its values.';
}

function Deletion({ organization, set }: { readonly organization: string; readonly set: VariableSet }) {
  const navigate = useNavigate();
  const { name, global } = set.attributes;
  const goes = counted(set.attributes['var-count'], 'variable');
  const loses = global
    ? 'every workspace of the organization'
    : `${counted(set.attributes['workspace-count'], 'workspace')} and ${counted(set.attributes['project-count'], 'project')}`;
  return (
    <>
      <p>
        Its {goes} go with it. Runs of {loses} that begin from then on are not given them.
      </p>
      <p>
        <Destroy
          verb="Delete"
          what={`set ${name}`}
          name={name}
          run={() => workspaces.send('DELETE /varsets/{varset_id}', { path: { varset_id: set.id } })}
          onDone={() => navigate({ to: '/$organization/variable-sets', params: { organization } })}
        >
          <p>
            Its {goes} go with it, values of sensitive ones too. {loses[0]?.toUpperCase()}
            {loses.slice(1)} lose them. Nobody can bring it back.
          </p>
        </Destroy>
      </p>
    </>
  );
}
