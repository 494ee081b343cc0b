import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { Button, buttonClass } from '../../components/button/Button.tsx';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
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
import * as texts from './texts.ts';
import { Reason } from './Versions.tsx';
import { absenceOf, type Beside, isThere, makerOf, type Version } from './version.ts';
import { useWriting } from './writing.ts';

const SHOW = 'GET /state-versions/{state_version_id}';
const route = getRouteApi('/signed-in/$organization/workspaces/$workspace/states/$version');

/** One state version: its details and actions. */
export function VersionPage() {
  const { organization, workspace, query } = useWorkspace();
  const { version: id } = route.useParams();
  const input = { path: { state_version_id: id }, query: { include: 'created_by' } };
  const version = useQuery(workspaces.query(SHOW, input));
  const place = `/${organization}/workspaces/${workspace}`;
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: workspace, to: place },
    { label: texts.states, to: `${place}/states` },
    { label: version.data ? texts.state(version.data.data.attributes.serial) : id },
  ]);
  const request = workspaces.request(SHOW, input);
  usePathLine({ request, command: `lockkeeper api GET ${request.address.replace('/api/v2/', '')}` });
  if (!query.data) return null;
  return (
    <QueryResult query={version} what={texts.theStateVersion} missing={<code>can-read-state-versions</code>}>
      {(found) => <Shown version={found.data} beside={found} answer={query.data} organization={organization} />}
    </QueryResult>
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
  const title = texts.state(attributes.serial);
  return (
    <Section
      title={title}
      note={isCurrent ? texts.currentVersion : (absence ?? texts.olderVersion)}
      end={
        isThere(version) && (
          <>
            <Link
              className={buttonClass('small')}
              to="/$organization/workspaces/$workspace/states"
              params={params}
              search={{ to: id }}
            >
              {texts.compare}
            </Link>
            <a
              className={buttonClass('small')}
              href={`/api/v2/state-versions/${id}/download`}
              download={`${workspace}-${attributes.serial}.tfstate`}
            >
              <Icon name="download" />
              {texts.download2}
            </a>
            {attributes['hosted-json-state-download-url'] && (
              <a className={buttonClass('small')} href={`/api/v2/state-versions/${id}/json-download`} download>
                <Icon name="download" />
                {texts.jsonFormat}
              </a>
            )}
            {writing.may && !isCurrent && (
              <Button look="small" off={writing.off} onClick={() => setRollsBack(true)}>
                {texts.rollBack2}
              </Button>
            )}
          </>
        )
      }
    >
      <div className={styles.facts}>
        <Facts
          of={[
            [texts.id, <Copyable key="id" text={id} what={texts.id2} />],
            [texts.createdBy, makerOf(version, beside)],
            [
              texts.certificate,
              certificate && (
                <span key="certificate">
                  {certificate.subject}{' '}
                  <span className="soft">
                    {texts.roleOfSerialNumber(certificate.role, certificate.mount, certificate['serial-number'])}
                  </span>
                </span>
              ),
            ],
            [
              texts.source,
              <Reason key="why" of={version} versions={[]} organization={organization} workspace={workspace} />,
            ],
            [
              texts.created,
              <span key="when">
                {exact(attributes['created-at'])}{' '}
                <span className="soft">
                  <Ago time={attributes['created-at']} inWords /> {texts.ago}
                </span>
              </span>,
            ],
            [texts.size, attributes.size > 0 && bytes(attributes.size)],
            [texts.resources, isThere(version) && count(attributes['billable-rum-count'])],
            [texts.outputs, isThere(version) && count(relationships.outputs.data.length)],
            [
              texts.engine,
              attributes['terraform-version'] && <code key="engine">{attributes['terraform-version']}</code>,
            ],
            [
              texts.lineage,
              attributes.lineage && <Copyable key="lineage" text={attributes.lineage} what={texts.lineage2} />,
            ],
            [texts.md5, <Copyable key="md5" text={attributes.md5} what={texts.md5} />],
            [texts.encrypted, attributes.encrypted && texts.byOpentofuTheServer],
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
