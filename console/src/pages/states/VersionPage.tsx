import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { Button, buttonClass } from '../../components/button/Button.tsx';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Section } from '../../components/section/Section.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { bytes, count } from '../../format/number.ts';
import { exact } from '../../format/time.ts';
import { usePlace } from '../../shell/page.ts';
import { useWorkspace, type WorkspaceAnswer } from '../../shell/workspace.ts';
import { DataActions } from './DataActions.tsx';
import { RollbackDialog } from './RollbackDialog.tsx';
import styles from './states.module.css';
import { Reason } from './Versions.tsx';
import { absenceOf, type Beside, isThere, makerOf, type Version } from './version.ts';
import { useWriting } from './writing.ts';

const SHOW = 'GET /state-versions/{state_version_id}';
const route = getRouteApi('/signed-in/$organization/workspaces/$workspace/states/$version');

/** One version of a state: what it says of itself, and what can be done with it. */
export function VersionPage() {
  const { organization, workspace, query } = useWorkspace();
  const { version: id } = route.useParams();
  const input = { path: { state_version_id: id }, query: { include: 'created_by' } };
  const version = useQuery(workspaces.query(SHOW, input));
  const place = `/${organization}/workspaces/${workspace}`;
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: workspace, to: place },
    { label: 'States', to: `${place}/states` },
    { label: version.data ? `State ${version.data.data.attributes.serial}` : id },
  ]);
  const request = workspaces.request(SHOW, input);
  usePathLine({ request, command: `lockkeeper api GET ${request.address.replace('/api/v2/', '')}` });
  if (!query.data) return null;
  return (
    <Answered query={version} what="The state version" missing={<code>can-read-state-versions</code>}>
      {(found) => <Shown version={found.data} beside={found} answer={query.data} organization={organization} />}
    </Answered>
  );
}

interface ShownProps {
  readonly version: Version;
  readonly beside: Beside;
  readonly answer: WorkspaceAnswer;
  readonly organization: string;
}

function Shown({ version, beside, answer, organization }: ShownProps) {
  const [rollsBack, setRollsBack] = useState(false);
  const navigate = useNavigate();
  const writing = useWriting(answer);
  const { id, attributes, relationships } = version;
  const { name: workspace } = answer.data.attributes;
  const isCurrent = answer.data.relationships['current-state-version']?.data?.id === id;
  const params = { organization, workspace };
  const absence = absenceOf(version);
  const certificate = attributes['created-by-certificate'];
  const title = `State ${attributes.serial}`;
  return (
    <Section
      title={title}
      note={isCurrent ? 'the current one' : (absence ?? 'an older one')}
      end={
        isThere(version) && (
          <>
            <Link
              className={buttonClass('small')}
              to="/$organization/workspaces/$workspace/states"
              params={params}
              search={{ to: id }}
            >
              Compare
            </Link>
            <a
              className={buttonClass('small')}
              href={`/api/v2/state-versions/${id}/download`}
              download={`${workspace}-${attributes.serial}.tfstate`}
            >
              <Icon name="download" />
              Download
            </a>
            {attributes['hosted-json-state-download-url'] && (
              <a className={buttonClass('small')} href={`/api/v2/state-versions/${id}/json-download`} download>
                <Icon name="download" />
                JSON form
              </a>
            )}
            {writing.may && !isCurrent && (
              <Button look="small" off={writing.off} onClick={() => setRollsBack(true)}>
                Roll back…
              </Button>
            )}
          </>
        )
      }
    >
      <div className={styles.facts}>
        <Facts
          of={[
            ['Id', <Copyable key="id" text={id} what="id" />],
            ['Made by', makerOf(version, beside)],
            [
              'Certificate',
              certificate && (
                <span key="certificate">
                  {certificate.subject}{' '}
                  <span className="soft">
                    role {certificate.role} of {certificate.mount}, serial number {certificate['serial-number']}
                  </span>
                </span>
              ),
            ],
            [
              'Because of',
              <Reason key="why" of={version} versions={[]} organization={organization} workspace={workspace} />,
            ],
            [
              'When',
              <span key="when">
                {exact(attributes['created-at'])}{' '}
                <span className="soft">
                  <Ago time={attributes['created-at']} inWords /> ago
                </span>
              </span>,
            ],
            ['Size', attributes.size > 0 && bytes(attributes.size)],
            ['Resources', isThere(version) && count(attributes['billable-rum-count'])],
            ['Outputs', isThere(version) && count(relationships.outputs.data.length)],
            ['Engine', attributes['terraform-version'] && <code key="engine">{attributes['terraform-version']}</code>],
            ['Lineage', attributes.lineage && <Copyable key="lineage" text={attributes.lineage} what="lineage" />],
            ['MD5', <Copyable key="md5" text={attributes.md5} what="MD5" />],
            ['Encrypted', attributes.encrypted && 'by OpenTofu: it cannot be read here'],
          ]}
        />
      </div>
      {answer.data.attributes.permissions['can-update'] && !isCurrent && (
        <DataActions version={version} title={title} />
      )}
      {rollsBack && (
        <RollbackDialog
          workspaceId={answer.data.id}
          name={`${organization}/${workspace}`}
          version={version}
          onClose={() => setRollsBack(false)}
          onDone={() => void navigate({ to: '/$organization/workspaces/$workspace/states', params })}
        />
      )}
    </Section>
  );
}
