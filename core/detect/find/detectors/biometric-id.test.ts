import { biometricId } from './biometric-id.ts';
import { describeDetectorContract } from './contract.ts';

describeDetectorContract(biometricId, {
  finds: [
    ['fingerprint template ID: FP-448812', ['FP-448812']],
    ['voiceprint_id=vp_883a91c2', ['vp_883a91c2']],
    ['face ID hash 9f86d081884c7d659a2feaa0c55ad015', ['9f86d081884c7d659a2feaa0c55ad015']],
    ['iris scan reference 550e8400-e29b-41d4-a716-446655440000', ['550e8400-e29b-41d4-a716-446655440000']],
    ['biometric id BIO12345678', ['BIO12345678']],
  ],
  ignores: [
    'SSH fingerprint 16:27:ac:a5:76:28:2d:36',
    'certificate fingerprint 9f86d081884c7d659a2feaa0c55ad015',
    'Face ID works from 30 cm',
    'a biometric lock for 120 dollars',
    'fingerprint sensors',
    'browser fingerprint id 9f86d081884c7d65',
  ],
  hostile: ['fingerprint ', 'biometric ', 'face id ', 'iris a1-', 'biometric A-', 'face id aaaaaaaaaaaaaaa'],
});
