/** How people of ten languages, and of some more, ask for what they can eat, by what must not be in it. */
export const WISHES: Record<string, string> = {
  gluten: `pão sem glúten / gluten free bread / bread without gluten for my celiac son / pan sin gluten / glutenfreies Brot /
    pain sans gluten / pane senza glutine / хлеб без глютена / 无麸质面包 / グルテンフリーのパン / خبز خالي من الغلوتين / sou celíaco, que pão posso comer /
    glutensiz ekmek / ben je allergisch voor gluten brood / 글루텐 없는 빵 / ללא גלוטן לחם / bez glutenu chleb`,
  lactose: `chocolate sem lactose / lactose free chocolate / chocolate sin lactosa / laktosefreie Schokolade / chocolat sans lactose /
    cioccolato senza lattosio / шоколад без лактозы / 无乳糖巧克力 / 乳糖不耐症 チョコレート / شوكولاتة بدون لاكتوز / laktozsuz çikolata`,
  milk: `sorvete sem leite / ice cream without milk / helado sin leche / Eis ohne Milch / glace sans lait / gelato senza latte /
    мороженое без молока / 不含牛奶的冰淇淋 / 牛乳不使用のアイス / آيس كريم بدون حليب / sütsüz dondurma / dairy free chocolate / lody bez mleka`,
  peanut: `peanut free snack / sou alérgico a amendoim, quero um doce / snack sin cacahuete / Snack ohne Erdnüsse / chocolat sans arachides /
    cioccolato senza arachidi / шоколад без арахиса / 花生过敏 零食 / ピーナッツアレルギー お菓子 / شوكولاتة بدون فول سوداني / 땅콩 없는 과자 / my son is allergic to peanuts chocolate / dị ứng đậu phộng kẹo`,
  nuts: `chocolate sem castanhas / chocolate without nuts / chocolate sin frutos secos / nussfreie Schokolade / chocolat sans noix /
    cioccolato senza noci / шоколад без орехов / 无坚果巧克力 / ナッツ不使用のチョコレート / شوكولاتة بدون مكسرات / fındıksız çikolata / nötfri choklad / notenvrije chocolade / ciocolată fără nuci`,
  sugar: `chocolate sem açúcar / sugar free chocolate / chocolate sin azúcar / zuckerfreie Schokolade / chocolat sans sucre / doce para diabético /
    cioccolato senza zucchero / шоколад без сахара / 无糖巧克力 / 砂糖不使用チョコレート / شوكولاتة بدون سكر / şekersiz çikolata / I am diabetic, which chocolate / sokeriton suklaa`,
  egg: `bolo sem ovo / cake without eggs / torta sin huevo / Kuchen ohne Eier / gâteau sans œufs / torta senza uova / торт без яиц /
    无蛋蛋糕 / 卵不使用のケーキ / كيك بدون بيض / yumurtasız kek / alergia a ovo bolo / egg allergy cake / tojásmentes torta / σοκολάτα χωρίς αυγά`,
  soy: `molho sem soja / sauce without soy / salsa sin soja / sojafreie Soße / sauce sans soja / salsa senza soia / соус без сои /
    不含大豆的酱 / 大豆不使用のソース / صلصة بدون صويا / soy allergy sauce / sojafri sås`,
  shellfish: `seafood dish without shellfish / peixe sem camarão / alérgico a frutos do mar / pescado sin mariscos / Fisch ohne Meeresfrüchte /
    poisson sans crustacés / pesce senza crostacei / рыба без морепродуктов / 海鲜过敏 鱼 / 甲殻類アレルギー 魚 / حساسية من المحار سمك / allergic to shellfish fish`,
  alcohol: `cerveja sem álcool / beer without alcohol / cerveza sin alcohol / alkoholfreies Bier / bière sans alcool / birra senza alcol /
    пиво без алкоголя / 无酒精啤酒 / ノンアルコールビール / بيرة بدون كحول / alkolsüz bira / 무알콜 맥주 / bia không cồn`,
  pork: `linguiça sem porco / sausage without pork / salchicha sin cerdo / Wurst ohne Schweinefleisch / saucisse sans porc / salsiccia senza maiale /
    колбаса без свинины / 不含猪肉的香肠 / 豚肉不使用のソーセージ / سجق بدون لحم خنزير / halal sausage / carne kosher / domuzsuz sosis / halal meat`,
  meat: `hambúrguer vegetariano / vegetarian burger / hamburguesa sin carne / vegetarischer Burger / burger végétarien / hamburger vegetariano /
    вегетарианский бургер / 素食汉堡 / ベジタリアンバーガー / برجر نباتي / burger without meat / não como carne, quero um hambúrguer`,
  animal: `hambúrguer vegano / vegan burger / chocolate vegano / veganes Eis / chocolat vegan / gelato vegano / веганский шоколад /
    纯素巧克力 / ヴィーガン チョコレート / شوكولاتة نباتية صرفة vegan / vegan ice cream / vegan çikolata`,
};
