import type { Lexicon, Need } from '../lexicon-types.ts';
import { ancestorsOf } from './parts.ts';

/**
 * Owners: things with accessories and parts (cases, batteries, tyres, repairs). A title that names one after another
 * thing is about that accessory, with "para" or without ("capa iPhone 13", "tela notebook Dell").
 */
const OWNERS = new Set(
  `phone tablet computer notebook monitor printer tv projector camera drone e-reader game-console
  smartwatch watch headphones speaker router bicycle motorcycle scooter skateboard fridge
  washing-machine stove oven microwave blender coffee-maker vacuum-cleaner fan air-conditioner
  sewing-machine musical-instrument sofa mattress`.split(/\s+/),
);

/** Needs below an owner in the lexicon that are its parts, not kinds of it. */
const PARTS = new Set(
  `motorcycle-part smartwatch-band guitar-strings guitar-amp acoustic-accessory studio-audio
  sheet-music microphone ride-on-toy mattress-protector vr-headset coffee-filter cooktop-hood
  wifi-extender graphics-card ram-memory`.split(/\s+/),
);

/** Words for parts; at the start of a title, the owner follows. */
export const PART_NAMES = new Set(
  `peca pecas parte partes placa flex conector camara motor memoria botao botoes tampa traseira
  carcaca controle manete pulseira filtro resistencia borracha vedacao dobradica manual adesivo
  capa capinha case pelicula protetor suporte base tela display lcd touch frontal bateria fonte
  carregador cabo adaptador antena gaveta prateleira puxador rodinha roda pedal selim corrente
  freio guidao cambio dock acessorio acessorios`.split(/\s+/),
);

/** Returns whether a need is an owner, or a kind of one. */
export function isOwner({ id }: Need, lexicon: Lexicon): boolean {
  const line = [id, ...ancestorsOf(id, lexicon)];
  return !line.some((one) => PARTS.has(one)) && line.some((one) => OWNERS.has(one));
}
