import { bundledCodec } from './bundled.ts';
import { describeCodecContract } from './contract.ts';

describeCodecContract('bundled', async () => bundledCodec());
