import { describeOn } from '../../../test/helpers/real-servers.ts';
import { describeEventLogContract } from '../contract.ts';
import { beginOnKafka } from './testing/contract-harness.ts';

describeOn('kafka', 'a real broker', (address) => {
  describeEventLogContract('kafka', () => beginOnKafka({ brokers: address.split(',') }, 1));
});
