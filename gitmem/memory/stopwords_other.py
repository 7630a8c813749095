"""The same as ``stopwords`` for other languages than English, Chinese, Japanese and Korean.

Each list is one string, which ``everyday`` makes a set of when a question needs it.  Compiled by hand
from general knowledge of the languages.
Hot: constants only.
"""

from __future__ import annotations

# Russian, Ukrainian, Greek, Hebrew, Arabic, Persian, Hindi, Bengali.  Every entry is a term as ``words`` makes it.
STOP = """
    и в во на не ни но а о об от до по за из к ко с со у я ты он она оно мы вы они меня мне мной тебя тебе вас вам
    нас нам его ему ее ей их им это этот эта эти этого этой этому этом этим этих эту то тот та те того тому том тем
    тех ту что чего чему чем как так же ли бы был была было были быть есть будет будут будешь если или да нет еще
    уже для при про под над без через после перед который которая которое которые где когда куда откуда почему зачем
    кто кого кому сколько какой какая какое какие каким какую свой своя свои мой моя мое мои моего моей твой твоя
    наш наша наше наши нашего нашей ваш ваша ваше все всех всего всем весь вся очень можно нужно надо только тоже
    также там тут здесь сейчас теперь потом тогда чтобы потому просто вот ну раз сам сама ничего нельзя между один
    одна одно одного может могу можешь можете хочу
    і й з із зі що це цей ця ці цього ні але або як від він вона воно ми ви вони мене мені тобі його її їх є був
    була було були бути якщо коли де куди чому хто який яка яке які ще вже дуже можна треба потрібно тільки також
    зараз потім щоб
    ο η το οι τα του τησ των τον την τουσ τισ στο στη στην στον στα στισ στουσ και κι να θα δεν δε μη μην σε απο για
    με ωσ κατα προσ πριν μετα αν οταν οτι που πωσ τι ποιοσ ποια ποιο ποιοι ποτε γιατι ποσο ποσα ειναι ηταν ειμαι
    εισαι ειμαστε εχει εχω εχεισ εχουν εχουμε μου σου μασ σασ αυτο αυτοσ αυτη αυτον αυτην αυτα αυτεσ αυτοι εγω εσυ
    εμεισ εσεισ ενα ενασ μια ναι οχι πολυ πιο εδω εκει τωρα τοτε οπωσ ετσι αλλα επισησ μονο κατι ολα ολο ολη ολοι
    καθε ακομα ακομη ηδη λοιπον μπορεισ μπορει μπορω μπορουμε πρεπει θελω θελεισ χωρισ μεχρι
    של על את אל אם או כי לא כן גם זה זו זאת אלה אלו הוא היא הם הן אני אתה אתם אנחנו אנו שלי שלך שלו שלה שלנו לי לך
    לו לה לנו לכם להם אותו אותה אותי אותם מה מי איך איפה מתי למה מדוע כמה איזה איזו יש אין היה היתה הייתה היו יהיה
    עם בלי מן כל כמו רק עוד כבר אז כאן שם פה עכשיו אבל אולי ככה כך כדי לפני אחרי אחר אחרת בין עד בו בה בזה מאוד אפשר
    יכול יכולה צריך רוצה חייב אשר כאשר
    و في من الي علي عن مع هذا هذه ذلك تلك هؤلاء هو هي هم انا انت نحن ان كان كانت يكون تكون لا لم لن ما ماذا لماذا
    كيف اين متي هل كم اي التي الذي الذين قد كل بعض غير او ثم بل لكن حتي اذا لو عند بعد قبل بين تحت فوق حول نعم كلا
    هكذا ايضا فقط جدا هنا هناك الان لي لك له لها لنا لكم لهم به بها فيه فيها منه منها عليه عليها يجب يمكن يمكنك
    يمكنني ليس ليست اليوم غدا امس عندما لان كما مثل دون هما
    در از كه با را براي تا يا اگر ولي اما چه چرا چطور چگونه كجا كي تو شما انها است هست بود شد شود مي نمي بايد همه هر
    يك خيلي بله نه پس حالا
    का के की को में से पर है हैं हूं हो था थे थी और या भी ही तो यह ये वह वे इस इसे इसका इसकी इसके इन उस उसे उसका
    उसकी उसके उन उन्हें मैं मुझे मेरा मेरी मेरे हम हमें हमारा हमारी हमारे तुम तुम्हें आप आपको आपका आपकी आपने मैंने
    ने एक कि जो जब तब अब तक लिए साथ क्या क्यों कैसे कैसा कैसी कहां कब कौन कौनसा किस किसे कितना कितने कितनी ऐसा ऐसे
    ऐसी वैसा न ना नहीं मत हां जी यही वही बहुत कुछ सब सभी कर करके करना करने करता करते करती किया कीजिए करो करें होता
    होते होती होना होने हुआ हुई रहा रहे रही गया गए गई जाता जाते जाती जाए सकता सकते सकती चाहिए वाला वाले वाली पहले
    बाद फिर अगर लेकिन मगर यहां वहां अभी दो लें लो ले लेना दें देना दे दीजिए लीजिए रखें रखो रखना बिना द्वारा जैसे
    जैसा जाने
    এবং ও এই এটা এটি সেই সেটা কি কী কেন কোথায় কখন কে কার আমি আমার আমাকে তুমি তোমার আপনি আপনার আমরা না নয় হ্যাঁ হয়
    হবে ছিল আছে করে করা করতে জন্য থেকে সঙ্গে সাথে যে যা আর একটি একটা তার তা
"""
GENERIC = """
    продолжай продолжи продолжайте продолжить дальше далее спасибо большое пожалуйста попробуй попробуйте
    попробовать снова заново опять правильно неправильно верно неверно исправь исправьте исправить почини поправь
    ошибку ошибка ошибки ошибок баг баги объясни объясните объяснить перейди переходи иди следующий следующая
    следующему следующее следующую шаг шагу шага запусти запустите запустить выполни тест тесты тестов тестами
    сделай сделайте сделать делай делать сделал сделала первый первым первую второй вторым вторую последний способ
    способом вариант стой стоп хватит подожди погоди думаешь думаете привет здравствуй здравствуйте пока напиши
    напишите написать пиши функцию функция функции расскажи расскажите скажи скажите покажи покажите показать файл
    файла файлы файле файлов отмени отменить верни вернуть хорошо отлично супер класс прекрасно ладно окей ок ага
    угу понял поняла понятно понимаю немного минуту другому другой другим иначе добавь добавьте добавить комментарий
    комментарии код кода коде короче проще лучше быстрее закоммить запушь коммит изменения изменение изменить измени
    задача задачу задачи молодец удали удалите удалить убери проверь проверьте проверить работает работа работать
    проблема проблему проблеме вопрос вопросы ответ помоги помогите помочь давай давайте начни закончи готово
    сортировки строку строки нашли найди найти посмотри создай обнови новый новая новое новые итог резюме кратко
    подробнее пример например дела день сегодня завтра вчера называется зовут имя нравится выглядит происходит
    получилось перепиши упрости начинай начинать идеально случилось случай переименуй переменную переменная
    переменной документация документацию документации документы документ обновить значит улучши улучшить
    отформатируй согласен согласна неважно помощь папка папку скрипт команду команда вывод список результат
    результата медленно осталось
    продовжуй продовжити продовж далі дякую будь ласка спробуй знову виправ помилку помилка поясни наступний
    наступного крок кроку тести зроби зробити перший привіт функцію розкажи скасуй добре чудово гаразд зачекай
    розумію додай видали перевір працює завдання починай ідеально сталося перейменуй змінну документацію документи
    онови означає покращ згоден повільно
    συνεχισε συνεχιστε συνεχεια παρακαλω ευχαριστω δοκιμασε δοκιμαστε ξανα σωστα σωστο λαθοσ διορθωσε σφαλμα
    σφαλματα προβλημα προβληματα συμβαινει πηγαινε προχωρα επομενο επομενη βημα βηματα τρεξε εκτελεσε τεστ
    χρησιμοποιησε πρωτο πρωτη δευτερο δευτερη τελευταιο τροπο τροποσ σταματα εξηγησε εξηγησεισ γνωμη νομιζεισ γεια
    χαιρετε καλημερα γραψε συναρτηση πεσ εκανεσ κανε κανεισ κανουμε δειξε αρχειο αρχεια αναιρεσε ενταξει οκ καλα
    καλο ωραια τελεια περιμενε λιγο στιγμη αλλιωσ αλλιωτικα διαφορετικα καταλαβαινω καταλαβα προσθεσε σχολια σχολιο
    κωδικα κωδικασ συντομο αλλαγεσ αλλαγη αλλαξε μπραβο διαγραψε σβησε ελεγξε λειτουργει δουλευει δουλεια συνοψη
    περιληψη ερωτηση απαντηση βοηθησε βοηθεια νεο λεγεται λενε ονομα ονομαζεται ταξινομησησ παραδειγμα σημερα αυριο
    χθεσ ξεκινα ξεκιναμε συνεβη φορα βοηθησεισ συμφωνω πειραζει μετονομασε μεταβλητη μεταβλητησ ενημερωσε τεκμηριωση
    εγγραφο εγγραφα σημαινει βελτιωσε μορφοποιησε φακελο φακελοσ εντολη αποτελεσμα αργο παλι
    תמשיך המשך להמשיך תודה רבה בבקשה נסה תנסה שוב נכון תקן תתקן לתקן באג הבאג שגיאה השגיאה קורה עבור תעבור לשלב שלב
    השלב הבא הבאה הרץ תריץ להריץ בדיקות הבדיקות בדיקה טסטים השתמש תשתמש בדרך דרך הדרך הראשון הראשונה השני השנייה
    עצור תעצור הסבר תסביר להסביר דעתך חושב שלום היי כתוב תכתוב לכתוב פונקציה פונקציית סכם תסכם עשית תעשה עשה לעשות
    תראה הראה קובץ הקובץ קבצים בטל תבטל בסדר מצוין טוב יופי מעולה אוקיי סבבה חכה תחכה רגע טעות מבין הבנתי הוסף תוסיף
    להוסיף הערות הערה קוד הקוד לקוד לקצר קצר קומיט דחוף תדחוף שינויים השינויים שינוי שנה תשנה משימה המשימה עבודה
    טובה מחק תמחק בדוק תבדוק לבדוק עובד בעיה הבעיה שאלה תשובה עזור תעזור עזרה חדש חדשה קוראים נקרא היום מחר אתמול
    יותר דוגמה מיון קדימה הכל מושלם פעם אחת קרה דבר מסכים מסכימה משנה המשתנה משתנה עדכן תעדכן תיעוד התיעוד מסמך
    מסמכים אומר עדיין שפר תשפר סדר תיקייה פקודה תוצאה התוצאה איטי מחדש
    استمر تابع واصل اكمل شكرا جزيلا فضلك رجاء اعد اعاده المحاوله حاول مره اخري اخر ثانيه صحيح صح خطا خاطئ اصلح صحح
    الخطا الاخطاء يحدث حدث انتقل اذهب الخطوه خطوه التاليه التالي شغل نفذ الاختبار الاختبارات اختبار اختبارات استخدم
    الطريقه طريقه الاولي الاول الثانيه الثاني الاخير توقف قف اشرح شرح فسر رايك تعتقد مرحبا اهلا السلام عليكم اكتب
    كتابه داله لخص ملخص فعلت فعلته عملت ارني اعرض الملف ملف ملفات الملفات تراجع الغ حسنا ممتاز رائع جيد جميل طيب
    تمام موافق انتظر لحظه جرب افهم فهمت اضف تعليقات تعليق الكود كود جعله اجعله اقصر اجعل احفظ التغييرات تغيير
    التعديلات المهمه مهمه عمل احذف امسح تحقق افحص يعمل تعمل المشكله مشكله سؤال السؤال جواب ساعدني مساعده جديد جديده
    اسم اسمه اسمها يسمي مثال دعنا ابدا اريد تريد افعل لترتيب للترتيب ترتيب يكفي مساعدتي نفس الشيء شيء اوافق باس
    المتغير متغير الوثائق وثائق توثيق مستند يعني زال حسن نسق مجلد امر الامر النتيجه نتيجه بطيء احسنت
    ادامه بده بدهيد ممنون متشكرم مرسي لطفا دوباره امتحان كن كنيد درست غلط اشتباه مشكل توضيح بعدي مرحله گام اجرا تست
    سلام بنويس نشان فايل خوب خوبه عالي باشه صبر بفهمم اضافه كد حذف بررسي كار شروع كافي بار مستندات سند بهتر
    जारी धन्यवाद शुक्रिया कृपया सही गलत ठीक बग त्रुटि समझाएं समझाइए समझाओ समझ आया अगला अगली अगले कदम चरण परीक्षण
    टेस्ट चलाएं चलाओ चलाइए चलता चलती पहला पहली दूसरा दूसरी दूसरे आखिरी तरीका तरीके रुको रुकिए रुकें बस सोचते सोचती
    लगता नमस्ते नमस्कार हैलो लिखें लिखो लिखिए लिखना फंक्शन बताइए बताओ बताएं दिखाओ दिखाइए दिखाएं फाइल फाइलें वापस
    अच्छा अच्छी बढिया शानदार मिनट आजमाओ कोशिश कोड टिप्पणी टिप्पणियां जोडो जोडें जोडिए छोटा बदलाव बदलो बदलें बदलिए
    कमिट पुश काम शाबाश हटा हटाओ हटाएं बार जांचो जांचें जांच समस्या सवाल जवाब मदद नया नई नाम सॉर्ट सारांश उदाहरण आज
    कल शुरू खत्म आगे बढो बढें बनाओ बनाएं देखो देखें ओके बिल्कुल सहमत बात वेरिएबल चर दस्तावेज दस्तावेजों अपडेट मतलब
    बेहतर फॉर्मेट इतना फोल्डर कमांड नतीजा परिणाम धीमा दोबारा बाकी
    চালিয়ে যাও যান ধন্যবাদ অনেক আবার চেষ্টা করো করুন কর ঠিক ভুল সমস্যা ব্যাখ্যা পরের ধাপ টেস্ট চালাও লেখো লিখুন
    ফাংশন দেখাও দেখান ফাইল ভালো খুব আচ্ছা থামো থামুন দাও দিন কোড যোগ মুছে শুরু ঠিকাছে নথি মানে আপডেট
"""

# Spanish, Portuguese, French, German, Italian, Dutch, Polish, Indonesian, Turkish; terms too.  Some are English words
# as well: only a question in one of these languages is held against them.
LATIN_STOP = """
    el la los las un una uno de del al y o u e que en por para sobr entr hasta desd como cuando dond quien cual
    cuanto porqu pero si ni ya muy mas meno tambien tampoco es fue ser esta estan estar estoy hemo haber tien tengo
    se te le les lo mi mis tu tus su sus nuestro nuestra yo ella ello ust est esto ese esa eso aquy ahora asi todo
    toda nada algo otro otra ant despu pued puedo deb deben quiero quier mismo cada
    os um uma uns da dos das na nas ao aos sem quando ond quem qual quais quanto sim nao ja muito mais tambem sao
    foi estao estou tem tenho lhe meu minha meus teu sua seu nosso nossa voc ele ela isto ess essa isso aquel aquela
    ali agora assim tudo outro outra depois posso dev devem quero ou pelo pela
    une des du et qui quoy dont dan avec par pour sur sous ver chez comm quand combien pourquoy quel quell donc ne
    pas moin aussi sont etait etr ete suis avon avez ont avoir avait il ell ils nous vous je moi toi lui leur mon ma
    mes ta tes sa ses notr votr vos ce cet cett ces cela ceci ici maintenant alor ainsi oui tout tous rien autr
    avant apr peut peux dois doit faut veux mem chaqu deja encor au aux fois qu jusqu
    der dem und oder nicht kein keinen ein einen einem einer ist sind sein auf aus bei nach von vom zu zum zur im
    ich wir sie ihr mir mich dir dich euch ihm ihn ihnen mein dein unser noch einmal schon doch nein jetzt hier dann
    wenn weil dass dies dieser diesen diesem auch nur sehr mehr kann kannst konnen konnt soll sollst muss mussen
    werden wird wirst wurd haben hab hast gibt warum wieso welch welcher welchen wann wen wem wie etwa aber denn bis
    durch gegen ohn uber unter vor zwischen ob als bitt gern mit
    gli di dello della dei degli dell allo alla agli dal dalla dai dall nel nella nei nell sul sulla sui tra fra che
    chi cosa dov perch quali piu molto anch sono esser sei ho hai hanno aver ti vi mio mia tuo tua suo nostro nostra
    io lei noi voi loro questo questa questi quest quello quella quelli li ora adesso cosi tutto tutta tutti tutt
    nient qualcosa altro altra prima dopo puo puoy devono bisogna voglio gia ancora ogni
    het een ik jij hij zij wij julli dez dit niet geen ook maar voor naar uit bij om aan op zijn heeft hebben wat
    waar wanneer waarom hoe welk kan kun moet wil nog daar nu zo wel mijn jouw ons onz
    nie jest byc byl byla bylo od przez dla po bez przed nad czy co kto gdzi kiedi dlaczego jak jaki jaka ktori
    ktora ktor ty ona wy oni mni ciebi nam wam tego tej tym tych juz jeszcz bardzo tylko tez takz tutaj teraz potem
    ze zebi ale lub oraz
    yang ke dari untuk dengan pada adalah ini itu tidak bukan jangan akan sudah belum sedang bisa dapat harus ada
    saya aku kamu anda dia kami kita mereka apa siapa kapan kenapa mengapa bagaimana berapa mana atau tapi tetapi
    karena jika kalau agar supaya juga saja lagi lebih sangat sekali semua setiap oleh dalam ata seperti begitu
    begini nya dulu sebelum setelah
    bir bu icin ile ama veya mu neden niy nasil nered kim hangi kac ben sen onlar bana sana benim senin bizim onu
    bunu sunu cok daha gibi kadar hic var yok degil evet hayir oyl boyl soyl sonra simdi artik olarak olan oldu olur
    oluyor olsun eger cunku misin musun
"""
LATIN_GENERIC = """
    con sin son era hay ha han nos alli solo continua continuar sigu seguir adelant gracia mucha favor intentalo
    intenta intentar nuevo nueva vez bien arregla arreglar corrig corregir fallo pasa pasar siguient paso ejecuta
    ejecutar prueba forma manera primera primero segunda segundo ultima ultimo explica explicar explicam parec
    piensa opina hola adio escrib escribir funcion ordenar resum resumen hecho muestra muestram mostrar archivo
    fichero deshaz deshacer val bueno buena perfecto genial espera momento hazlo haz hacer hac entiendo anad anadir
    agrega comentario codigo corto sub cambio cambia cambiar tarea trabajo borra borrar elimina compruebalo
    comprueba revisa revisar funciona funcionar problema pregunta respuesta ayuda ayudam quita crea crear busca
    llama nombr ejemplo hoy manana ayer claro dim mira listo empieza empezar actualiza actualizar documentacion
    documento significa todavia mejora mejorar formato importa acuerdo pasado carpeta lista comando resultado lento
    em com eat eu pod siga prossiga obrigado obrigada tent tentar novo nova certo errado corrija corrigir consert
    erro acontec va proximo proxima passo rid rodar execut jeito primeira primeiro expliqu acha pensa ola oi escreva
    escrever funcao ordenacao resuma resumo fez feito mostr arquivo ficheiro desfaca desfazer bem bom boa otimo
    perfeito esper faca fazer faz entendo entendi adicion curto deixar alteraco alteracao mud mudanca tarefa
    trabalho apagu apagar remova verifiqu verificar pergunta resposta ajuda ajud cri criar chama nom exemplo hoj
    amanha ontem comec comecar variavel atualiz atualizar documentacao ainda melhor melhorar concordo mesmo
    aconteceu renomey pasta
    san car plus tre ai ton non continuer poursuis merci beaucoup plait essay essayer reessay corriger erreur arriv
    pass passer etap suivant relanc lanc lancer utilis utiliser premier deuxiem dernier facon manier arret arreter
    expliquer pens bonjour salut ecris ecrir fonction tri fait fair fais montr montrer fichier annul annuler accord
    bon bonn parfait super attend attendr instant faux autrement comprend comprendr ajout ajouter commentair court
    pouss modification modifi changement prochain tach travail supprim supprimer effac verifier march fonctionn
    repons aid cre creer appell exempl demain voila vas toujour commenc commencer met jour veut amelior ameliorer
    import renomm choos dossier resultat lend
    ins mal fur weiter weitermachen mach machen macht gemacht dank vielen versuch versuchen nochmal richtig falsch
    fehler beheb beheben korrigier reparier passiert geh nachst nachsten nachster schritt lass laufen lauft nimm
    moglichkeit variant erst ersten zweit zweiten letzt letzten stopp halt erklar erklaren meinst denkst findest
    hallo tschuss schreib schreiben funktion sortieren fass zusammen zusammenfassung zeig zeigen datey dateien
    ruckgangig ordnung gut toll perfekt genau wart warten moment ander versteh verstanden fug hinzu kommentar kurzer
    anderungen anderung andern aufgab arbeit losch loschen entfern pruf prufen funktioniert frag antwort hilf neu
    neuen erstell heisst heissen namen beispiel heut morgen gestern immer fang anfangen aktualisier aktualisieren
    dokumentation dokument bedeutet verbesser verbessern formatier egal einverstanden benenn dasselb anderen geht
    ordner befehl fertig ergebnis langsam zuruck
    per ci ed proseguy grazi mill prova provar riprova nuovo nuova volta giusto sbagliato correggi corregger errori
    succed vai passa prossimo prossima eseguy eseguir modo primo secondo fermati ferma spiegami spiega spiegar pensi
    ciao scrivi scriver funzion ordinamento riassumi riassunto fatto fai far farlo mostrami mostra annulla annullar
    bello buono ottimo perfetto aspetta capisco capito aggiungi aggiunger commenti commento codic modifich modifica
    compito lavoro cancella cancellar controlla controllar funziona domanda risposta aiuto aiutami chiama esempio
    oggi domani ieri comincia cominciar variabil aggiorna aggiornar documentazion documenti migliora migliorar
    formatta accordo rinomina stesso cartella risultato
    van dat die meet verder doorgaan ga bedankt alsjeblieft probeer opnieuw goed fout fouten repareer herstel
    volgend stap voer testen gebruik eerst leg schrijf functi laat zien bestand ongedaan wacht begrijp toevoegen
    voeg wijzigingen taak verwijder controleer werkt probleem altijd
    tak ten kontynuuj dalej dziekuj dzieki prosz sprobuj ponowni znowu dobrz zle popraw napraw blad bledi wyjasnij
    nastepni nastepnego krok kroku uruchom testi zrob pierwszi sposob czesc napisz funkcj pokaz plik cofnij swietni
    poczekaj rozumiem dodaj kod usun sprawdz dziala zadani
    lanjutkan lanjut teruskan terima kasih banyak tolong coba benar betul salah perbaiki kesalahan langkah
    berikutnya selanjutnya jalankan uji pakay gunakan cara pertama kedua terakhir berhenti jelaskan menurutmu halo
    tulis tuliskan fungsi pengurutan ringka ringkaskan lakukan tunjukkan tampilkan berka berkasnya batalkan baiklah
    baik bagus oke tunggu sebentar mengerti paham tambahkan tambah komentar buat dibuat buatkan pendek ubah
    perubahan perubahannya ganti tuga kerja kerjanya hapus periksa cek masalah masalahnya pertanyaan jawab bantu
    baru nama bernama contoh besok kemarin jadi sip mantap mulay variabel perbaruy dokumentasi dokumen artinya masih
    tingkatkan rapikan kodenya terjadi setuju sempurna hal sama lain perintah hasil hasilnya lambat ulang
    biz siz ki devam edin lutfen tesekkurler tesekkur ederim sagol den deneyin tekrar dogru yanlis duzelt hata
    hatayy hatalari acikla anlat sonraki adim adima gec calistir testleri kullan ilk ikinci yontemi yontem bekl
    dusunuyorsun merhaba selam yaz fonksiyon fonksiyonu ozetl yaptigini yap yapma yapmali yapabilir goster dosya
    dosyayy geri tamam iyi guzel harika biraz baska turlu anlamadim anladim koda kodu yorum ekl kisa degisiklik
    degisiklikleri degistir gorev aferin sil kontrol calisiyor sorun soru cevap yardim yeni adi isim ornek bugun
    yarin dun siralama olustur basla degisken degiskenin belg belgeler belgeleri guncell guncellem demek hala
    iyilestir bicimlendir katiliyorum bos aynisini diger mukemmel yeter klasor komut sonuc sonucu yava yeniden
"""

# Vietnamese, as it is typed, the syllables of a word joined: without its marks "cảm" (to feel) is "cam" (an orange).
VIETNAMESE_STOP = """
    và là của có không được cho với này đó kia ấy thì mà như để từ ở ra vào lên xuống tôi bạn mình tao anh em
    chúng_ta chúng_tôi nó họ ai gì sao nào đâu khi nếu vì nên nhưng hay hoặc rồi đã đang sẽ vẫn cũng còn chỉ rất quá
    lắm hơn nhất những các mọi mỗi một cái chiếc việc điều theo trong ngoài trên dưới trước sau bởi tại do về đến
    tới đi lại nữa à ạ nhé nha nhỉ vậy thế đây đấy phải chưa đừng hãy bị bao_nhiêu nhiều ít xin vâng dạ ừ thôi cả
    tại_sao làm_sao như_vậy
"""
VIETNAMESE_GENERIC = """
    tiếp_tục tiếp tiếp_theo cảm_ơn cám_ơn làm làm_lại lần đúng sai sửa sửa_lỗi lỗi giúp giúp_đỡ chuyển_sang sang
    bước chạy kiểm_tra kiểm_thử thử dùng sử_dụng cách đầu_tiên dừng dừng_lại giải_thích nghĩ suy_nghĩ chào xin_chào
    viết hàm sắp_xếp tóm_tắt xem tệp tập_tin hoàn_tác tốt giỏi chờ đợi một_chút một_lát khác hiểu thêm chú_thích mã
    đoạn_mã ngắn ngắn_gọn thay_đổi xóa xoá hoạt_động vấn_đề đồng_ý muốn cần biết hỏi trả_lời câu_hỏi tạo mới cũ
    cập_nhật tên kết_thúc xong ổn tuyệt_vời quay_lại tìm tìm_kiếm đọc đoạn hôm_nay ngày_mai hôm_qua ví_dụ khoan hết
    gọi bắt_đầu đủ hoàn_hảo chuyện_gì xảy_ra tương_tự đổi biến tài_liệu nghĩa ý_nghĩa cải_thiện định_dạng thư_mục
    lệnh nói kể cho_biết hướng_dẫn tất_cả mọi_thứ bây_giờ ngay kết_quả chậm
"""

# Thai, Lao, Khmer, Burmese: words that stand in a text without blanks.
UNSPACED_STOP = """
    ที่ ของ และ ใน เป็น ไม่ ได้ ให้ จะ ว่า กับ จาก โดย แต่ หรือ ก็ แล้ว นี้ นั้น นี่ นั่น อันนี้ อันนั้น ซึ่ง อยู่
    คือ ต้อง ควร เคย กำลัง ยัง เพราะ ถ้า เมื่อ เพื่อ ด้วย อีก มาก เลย หน่อย ครับ ค่ะ คะ นะ จ้ะ จ้า สิ ล่ะ เหรอ หรอ
    ไหม มั้ย ไหน อะไร ทำไม อย่างไร ยังไง เท่าไหร่ เท่าไร เมื่อไหร่ เมื่อไร ที่ไหน ใคร ฉัน ผม ดิฉัน คุณ เรา เขา
    พวกเรา พวกเขา มัน ของฉัน ของคุณ ของเรา ทั้งหมด ทุก บาง แบบนี้ แบบนั้น แบบไหน อย่างนี้ อย่างนั้น แบบ อย่าง การ
    ความ ถึง ต่อ ใช่ ไม่ใช่ ไม่ได้ ได้ไหม ก่อน หลัง จังหวัดไหน วันไหน ตอนไหน ตัวไหน อันไหน สิ่งที่ สิ่ง ไว้ ออก เข้า
    ขึ้น ลง ไปแล้ว มาแล้ว ตอนนี้ เท่านั้น เสมอ ดังนั้น จึง มี ไป มา เอา คน เรื่อง อัน
    ທີ່ ຂອງ ແລະ ໃນ ເປັນ ບໍ່ ໄດ້ ໃຫ້ ຈະ ວ່າ ກັບ ຈາກ ໂດຍ ແຕ່ ຫຼື ກໍ ແລ້ວ ນີ້ ນັ້ນ ອັນນີ້ ອັນນັ້ນ ຢູ່ ແມ່ນ ບໍ່ແມ່ນ ຕ້ອງ
    ຄວນ ກຳລັງ ຍັງ ເພາະ ຖ້າ ເມື່ອ ເພື່ອ ດ້ວຍ ອີກ ຫຼາຍ ເລີຍ ແດ່ ເດີ ບໍ ຫຍັງ ເປັນຫຍັງ ແນວໃດ ເທົ່າໃດ ເມື່ອໃດ ໃສ ໃຜ ຂ້ອຍ
    ເຈົ້າ ພວກເຮົາ ເຮົາ ເຂົາ ມັນ ທັງໝົດ ທຸກ ແບບ ແບບນີ້ ແບບນັ້ນ ຈຶ່ງ ການ ຄວາມ ເຖິງ ຕໍ່ ກ່ອນ ຫຼັງ ສິ່ງ ໄວ້ ອອກ ເຂົ້າ
    ຂຶ້ນ ລົງ ຕອນນີ້ ເທົ່ານັ້ນ ມີ ໄປ ມາ ເອົາ
    ជា និង នៅ ក្នុង នេះ នោះ ដែល បាន មាន មិន មិនមែន ទេ ឱ្យ អោយ របស់ ពី ទៅ មក ដោយ ដើម្បី ប៉ុន្តែ ឬ ក៏ ហើយ ទៀត ណា អ្វី
    ហេតុអ្វី ម្តេច យ៉ាងម៉េច យ៉ាងណា យ៉ាងដូចម្តេច ដូច ដូចម្តេច ឯណា ពេល ពេលណា អ្នកណា នរណា ប៉ុន្មាន តើ ខ្ញុំ អ្នក លោក
    យើង គេ វា ទាំងអស់ គ្រប់ នឹង កំពុង ត្រូវ ត្រូវតែ អាច គួរ បើ ប្រសិនបើ ព្រោះ ពីព្រោះ អញ្ចឹង ចុះ សិន ផង ណាស់ ច្រើន
    បាទ ចាស៎ ចា៎ ការ ជាង មួយ តែ លើ ក្រោម មុន ក្រោយ អស់ ហ្នឹង គឺ ចំពោះ
    သည် တယ် ပါတယ် ပါသည် မည် မယ် ပါ ကို က မှာ တွင် မှ နှင့် နဲ့ ၏ ရဲ့ များ တွေ ဒါ ဒီ ဒီဟာ အဲဒါ အဲဒီ ဟိုဟာ ဘာ ဘာလဲ
    ဘာကြောင့် ဘာကြောင့်လဲ ဘယ်လို ဘယ် ဘယ်မှာ ဘယ်တော့ ဘယ်သူ ဘယ်လောက် လဲ သလား လား ဘူး မဟုတ် မဟုတ်ဘူး ဟုတ် ဟုတ်ကဲ့
    ဟုတ်တယ် ကျွန်တော် ကျွန်မ ကျွန်ုပ် ငါ မင်း ခင်ဗျား ရှင် သူ ကျွန်တော်တို့ ခင် ပြီး ပြီ လို့ ရင် လျှင် အတွက်
    ကြောင့် ဖြင့် ပဲ လည်း တော့ ရမည် ရမလဲ မလဲ သလဲ ဖြစ် ဖြစ်သည် ရှိ ရှိသည် ရှိလဲ အောင် ပိုပြီး ပို တိုင်း သို့
"""
UNSPACED_GENERIC = """
    ดำเนินการ ดำเนินการต่อ ทำต่อ ไปต่อ ต่อไป ถัดไป ขอบคุณ ขอบคุณมาก ขอบใจ โอเค ตกลง ได้เลย ช่วย แก้ แก้ไข บั๊ก บัก
    ข้อผิดพลาด ผิด ผิดพลาด ถูกต้อง ถูก ใช้ได้ รัน เทสต์ เทส ทดสอบ การทดสอบ ครั้ง ครั้งแรก อีกครั้ง ลอง ลองใหม่ ใหม่
    อีกที หยุด อธิบาย ดี ดีแล้ว ดีมาก เยี่ยม เยี่ยมมาก เก่ง เก่งมาก สวัสดี เขียน ฟังก์ชัน ฟังก์ชั่น เรียงลำดับ แรก
    แบบแรก สุดท้าย รอ สักครู่ แป๊บ เดี๋ยว เข้าใจ ไม่เข้าใจ เพิ่ม คอมเมนต์ โค้ด สั้น สั้นลง คอมมิต พุช การเปลี่ยนแปลง
    เปลี่ยน เปลี่ยนแปลง ขั้นตอน ขั้น ลบ ไฟล์ ตรวจสอบ ตรวจ เช็ค ทำงาน ทำ คิด คิดว่า สรุป แสดง ดู ย้อนกลับ กลับ ยกเลิก
    ปัญหา คำถาม ถาม ตอบ คำตอบ บอก ขอ รบกวน สร้าง อัปเดต อ่าน หา ค้นหา เปิด ปิด เริ่ม เสร็จ เสร็จแล้ว เรียบร้อย พอ
    พอแล้ว งาน วิธี วิธีแรก ตัวอย่าง วันนี้ พรุ่งนี้ เมื่อวาน ชื่อ เรียกว่า ใช้ เริ่มเลย แค่ สมบูรณ์แบบ รอบ เกิดขึ้น
    เกิด เหมือนกัน เห็นด้วย ตัวแปร อัปเดต เอกสาร หมายความว่า หมายความ ได้ผล ปรับปรุง จัดรูปแบบ รูปแบบ โฟลเดอร์
    คำสั่ง อื่น ผลลัพธ์ ช้า เดิม
    ສືບຕໍ່ ດຳເນີນ ດຳເນີນການ ຕໍ່ໄປ ຖັດໄປ ຂອບໃຈ ຕົກລົງ ໂອເຄ ຊ່ວຍ ແກ້ ແກ້ໄຂ ບັນຫາ ຂໍ້ຜິດພາດ ຜິດ ຖືກ ຖືກຕ້ອງ ທົດສອບ ຄັ້ງ
    ອີກຄັ້ງ ເທື່ອ ເທື່ອໜຶ່ງ ລອງ ໃໝ່ ຢຸດ ອະທິບາຍ ດີ ດີຫຼາຍ ດີແລ້ວ ສະບາຍດີ ຂຽນ ທຳອິດ ລໍຖ້າ ລໍ ເຂົ້າໃຈ ເພີ່ມ ໂຄດ ສັ້ນ
    ປ່ຽນ ປ່ຽນແປງ ຂັ້ນຕອນ ລຶບ ໄຟລ໌ ກວດສອບ ກວດ ເຮັດ ເຮັດວຽກ ວຽກ ຄິດ ສະຫຼຸບ ສະແດງ ເບິ່ງ ກັບຄືນ ຍົກເລີກ ຖາມ ຕອບ ບອກ ຂໍ
    ສ້າງ ອ່ານ ຊອກ ເລີ່ມ ສຳເລັດ ພໍ ວິທີ ຕົວຢ່າງ ມື້ນີ້ ມື້ອື່ນ ຊື່ ໃຊ້ ເກີດ ເກີດຂຶ້ນ ເຫັນດີ ຕົວແປ ໝາຍຄວາມວ່າ ໝາຍຄວາມ
    ໄດ້ຜົນ ເອກະສານ ອັບເດດ ປັບປຸງ ຊື່ ແນວ ຜົນ ຊ້າ
    បន្ត បន្តទៀត បន្ទាប់ ជំហាន អរគុណ សូម ធ្វើ ធ្វើម្តងទៀត ម្តង ម្តងទៀត ត្រឹមត្រូវ ត្រូវហើយ ជួសជុល កំហុស កែ ឈប់
    ពន្យល់ ល្អ ល្អណាស់ សួស្តី ជម្រាបសួរ យល់ព្រម ព្យាយាម រង់ចាំ យល់ មិនយល់ លុប ឯកសារ ពិនិត្យ ដំណើរការ គិត សង្ខេប ខ្លី
    បញ្ហា សំណួរ ចម្លើយ ជួយ សរសេរ អនុគមន៍ កូដ បន្ថែម បង្ហាញ មើល ត្រឡប់ បោះបង់ ផ្លាស់ប្តូរ សាកល្បង តេស្ត បង្កើត អាន រក
    ចាប់ផ្តើម ចប់ រួចរាល់ រួច វិធី ដំបូង ទីមួយ ឧទាហរណ៍ ថ្ងៃនេះ ស្អែក ឈ្មោះ ហៅ ប្រើ អូខេ គ្រប់គ្រាន់ រឿង កើតឡើង ជួយ
    យល់ស្រប មិនអីទេ ប្តូរ អថេរ មានន័យ ន័យ នៅតែ កែលម្អ ធ្វើបច្ចុប្បន្នភាព លទ្ធផល យឺត
    ဆက်လုပ် ဆက် ကျေးဇူး ကျေးဇူးတင် ကျေးဇူးပါ ထပ် ကြိုးစား ကြည့် ကြိုးစားကြည့် မှန် မှား အမှား ပြင် ပြင်ပေး ရပ်
    ရှင်းပြ ရှင်း ပေး ကောင်း ကောင်းတယ် မင်္ဂလာပါ မင်္ဂလာ နောက် နောက်တစ်ခါ နောက်တစ်ဆင့် တစ်ဆင့် အဆင့် တစ်ခါ အိုကေ
    လုပ် လုပ်ပေး ခဏ စောင့် နားလည် နားမလည် ဖိုင် ဖျက် စစ်ဆေး စစ် အလုပ် အလုပ်လုပ် ထင် အကျဉ်းချုပ် တို ကုဒ် ထည့် ရေး ပြ
    ပြန် ပြောင်း စမ်းသပ် စမ်း ပြဿနာ မေးခွန်း အဖြေ ကူညီ ဖတ် ရှာ စ ပြီးပြီ နည်းလမ်း နည်း ပထမ ဥပမာ ဒီနေ့ မနက်ဖြန် နာမည်
    ခေါ် သုံး အသစ် ဒါပဲ တစ်ကြိမ် ဖြစ်တာ ကူညီ နိုင် မလား သဘောတူ ရပါတယ် ဆိုလို အလုပ်မဖြစ် သေးဘူး ပိုကောင်း
    စာရွက်စာတမ်း အပ်ဒိတ် ရလဒ် နှေး
"""
