import { useQuery } from '@tanstack/react-query';
import { access } from '../../api/client.ts';
import { Tags } from '../../components/chip/Chip.tsx';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { exact } from '../../format/time.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import * as texts from './texts.ts';

const LOOKUP = 'GET /auth/token/lookup-self';

/** Details of the token that this session uses for the access API. */
export function TokenPage() {
  usePlace([{ label: texts.access }, { label: texts.myToken }]);
  usePathLine({ request: access.request(LOOKUP, {}), command: 'lockkeeper read auth/token/lookup-self' });
  const token = useQuery(access.query(LOOKUP, {}));
  return (
    <>
      <PageHead title={texts.myToken} lede={texts.theConsoleUsesThis} />
      <QueryResult query={token} what={texts.yourToken} missing={<code>read on auth/token/lookup-self</code>}>
        {({ data }) => (
          <Facts
            of={[
              [texts.name, data.display_name],
              [texts.accessor, data.accessor && <Copyable text={data.accessor} what={texts.accessor2} />],
              [texts.policies, <Tags key="policies" names={data.policies} />],
              [texts.type, data.type],
              [texts.createdAt, <code key="path">{data.path}</code>],
              [texts.expires, data.expire_time ? exact(data.expire_time) : 'never'],
            ]}
          />
        )}
      </QueryResult>
    </>
  );
}
