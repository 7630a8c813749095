"""Everyday prompts in many languages, asked of a store that holds notes in that language (E3)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gitmem.recall.choose import recall
from gitmem.write.index import refresh
from tests.recall.conftest import WHEN, Write
from tests.recall.test_choose import LOG

ENGLISH = """
Take a backup before a database migration runs
Use pnpm in this repository, never npm install
PaymentClient.charge_card is not retried on HTTP500
My cat is called Zhima and likes sunbathing
Deploys to production happen Monday to Thursday
The user edits with tabs of four columns
Error E0502 in src/parser.rs:42 came from two borrows
maxmemory-policy was allkeys-lru, so session keys were evicted
The checkout is behind the flag checkout_v2_enabled
The staging gateway listens on 8443
Roses are watered in the evening, tomatoes in the morning
Dana prefers pull requests below 300 lines
Invoices are rounded per line, not per total
The nightly job copies the warehouse at 02:00 UTC
Never rename a Kafka consumer group in place
Fonts are served from our own CDN since March
The iOS build needs Xcode 16 and a paired watch
Secrets live in vault under kv/team/payments
Mobile clients cache the catalogue for six hours
The customer in Oslo wants invoices in Norwegian
Feature branches are rebased, never merged
Use ripgrep in scripts, GNU grep is too slow there
The old monolith still owns the users table
Load tests run against the blue cluster only
Alice reviews everything that touches billing
Log lines carry the trace id as first field
The printer on the second floor is out of order
Board games on Friday, bring Carcassonne
Releases are tagged on main by the bot
The search index is rebuilt on Sundays
"""

# language -> notes, prompts that say nothing of them, a question and the number of the note that answers it
LANGUAGES: dict[str, tuple[str, str, str, int]] = {
    "Thai": (
        """
ก่อนย้ายฐานข้อมูลต้องสำรองข้อมูลก่อนเสมอ
การปล่อยเวอร์ชันใหม่ทำทุกวันอังคารตอนบ่าย
ห้ามแก้ไขไฟล์คอนฟิกโดยตรง ให้ใช้สคริปต์เท่านั้น
ลูกค้ารายใหญ่อยู่ที่เชียงใหม่ ติดต่อผ่านอีเมล
การทดสอบหน่วยต้องผ่านก่อนรวมโค้ดเข้าสาขาหลัก
ใช้ภาษาไทยในการตอบคำถามของผู้ใช้เสมอ
""",
        """
ดำเนินการต่อ | ขอบคุณมากครับ | ทำต่อเลย | ช่วยแก้ให้หน่อย | รันเทสต์อีกครั้ง | ลองใหม่อีกที |
หยุดก่อน | ช่วยอธิบายหน่อย | เขียนฟังก์ชันเรียงลำดับให้หน่อย | เอาแบบแรก | แก้บั๊กนี้ให้ด้วย |
ทำให้สั้นลงได้ไหม
""",
        "ก่อนย้ายฐานข้อมูลต้องทำอะไร",
        0,
    ),
    "Lao": (
        """
ກ່ອນຍ້າຍຖານຂໍ້ມູນຕ້ອງສຳຮອງຂໍ້ມູນ
ທີມມັກຊ່ອງຫວ່າງຫຼາຍກວ່າແທັບ
ປ່ອຍເວີຊັນໃໝ່ທຸກວັນອັງຄານຕອນບ່າຍ
ລູກຄ້າລາຍໃຫຍ່ຢູ່ຫຼວງພະບາງ
ການທົດສອບຫົວໜ່ວຍຕ້ອງຜ່ານກ່ອນລວມໂຄດ
ຜູ້ດູແລລະບົບແມ່ນທ້າວສົມຊາຍ
""",
        """
ສືບຕໍ່ | ຂອບໃຈຫຼາຍ | ລອງອີກຄັ້ງ | ຖືກຕ້ອງແລ້ວ | ຢຸດກ່ອນ | ສະບາຍດີ | ຂັ້ນຕອນຕໍ່ໄປ | ແມ່ນແລ້ວ |
ລໍຖ້າກ່ອນ | ຂ້ອຍບໍ່ເຂົ້າໃຈ | ລຶບໄຟລ໌ນີ້ອອກ | ກວດສອບອີກເທື່ອໜຶ່ງ
""",
        "ກ່ອນຍ້າຍຖານຂໍ້ມູນຕ້ອງເຮັດຫຍັງ",
        0,
    ),
    "Khmer": (
        """
មុនពេលផ្លាស់ទីមូលដ្ឋានទិន្នន័យ ត្រូវបម្រុងទុក
ម៉ាស៊ីនសាកល្បងដំណើរការលើច្រក 8080
ឆ្មារបស់ខ្ញុំឈ្មោះក្រូច ចូលចិត្តហាលថ្ងៃ
កុំកែឯកសារកំណត់ដោយផ្ទាល់
ឯកសាររចនាទុកនៅ docs/design
ការធ្វើតេស្តឯកតាត្រូវតែជាប់មុនពេលបញ្ចូលកូដ
""",
        """
បន្ត | អរគុណច្រើន | សូមធ្វើម្តងទៀត | បាទ ត្រឹមត្រូវ | ធ្វើបន្តទៀត | ខ្ញុំមិនយល់ទេ | លុបឯកសារនេះ |
ពិនិត្យម្តងទៀត | វាដំណើរការយ៉ាងដូចម្តេច | តើអ្នកគិតយ៉ាងណា | ធ្វើឱ្យវាខ្លីជាងនេះ | ចាប់ផ្តើមទៅ
""",
        "មុនពេលផ្លាស់ទីមូលដ្ឋានទិន្នន័យត្រូវធ្វើអ្វី",
        0,
    ),
    "Burmese": (
        """
ဒေတာဘေ့စ် မရွှေ့ခင် အရန်သိမ်းရမည်
စမ်းသပ်ဆာဗာသည် ပေါ့တ် 8080 တွင် အလုပ်လုပ်သည်
အဖွဲ့သည် တက်ဘ်ထက် ကွက်လပ်ကို ကြိုက်သည်
ကျွန်တော့်ကြောင်နာမည်က လိမ္မော်ဖြစ်ပြီး နေပူစာလှုံတာ ကြိုက်တယ်
ဆက်တင်ဖိုင်ကို တိုက်ရိုက် မပြင်ရ
ဒီဇိုင်းစာရွက်စာတမ်းများကို docs/design တွင် သိမ်းသည်
""",
        """
ဆက်လုပ်ပါ | ကျေးဇူးတင်ပါတယ် | ထပ်ကြိုးစားကြည့်ပါ | ဟုတ်ကဲ့ မှန်ပါတယ် | ဒီအမှားကို ပြင်ပေးပါ |
ဘာကြောင့်လဲ | ရှင်းပြပေးပါ | ကောင်းတယ် | မင်္ဂလာပါ | နောက်တစ်ဆင့် | အိုကေ | နောက်တစ်ခါ ထပ်လုပ်ပါ
""",
        "ဒေတာဘေ့စ်မရွှေ့ခင် ဘာလုပ်ရမလဲ",
        0,
    ),
    "Vietnamese": (
        """
Máy chủ thử nghiệm chạy ở cổng 8080
Con mèo tên là Cam và thích phơi nắng
Không được sửa tệp cấu hình trực tiếp
Tài liệu thiết kế nằm ở docs/design
Kiểm thử đơn vị phải qua trước khi gộp
Quản trị viên là anh Nam
""",
        """
tiếp tục đi | cảm ơn bạn nhiều | làm lại lần nữa | chạy lại kiểm thử | được rồi | tôi không hiểu |
làm ngắn hơn được không | xóa tệp này | thế là đủ rồi | cập nhật tài liệu | vẫn chưa được |
đúng rồi, làm như vậy đi
""",
        "con mèo tên gì",
        1,
    ),
    "Hindi": (
        """
डेटाबेस ले जाने से पहले हमेशा बैकअप लें
बिल्ली का नाम संतरा है और उसे धूप पसंद है
कॉन्फ़िग फ़ाइल सीधे न बदलें
डिज़ाइन दस्तावेज़ docs/design में हैं
मिलाने से पहले यूनिट परीक्षण पास होना चाहिए
प्रशासक शर्मा जी हैं
""",
        """
जारी रखें | बहुत धन्यवाद | फिर से करें | अगला कदम लें | परीक्षण फिर से चलाएँ | पहला तरीका लें |
आप क्या सोचते हैं | फ़ाइल दिखाओ | यह फ़ाइल हटा दो | वेरिएबल का नाम बदलो | दस्तावेज़ अपडेट करो |
हाँ यही सही है
""",
        "बिल्ली का नाम क्या है",
        1,
    ),
    "Arabic": (
        """
قبل ترحيل قاعدة البيانات يجب أخذ نسخة احتياطية
خادم الاختبار يعمل على المنفذ 8080
الفريق يفضل المسافات على الجدولة
الإصدار كل يوم ثلاثاء بعد الظهر
القطة اسمها برتقالة وتحب الشمس
لا تعدل ملف الإعدادات مباشرة
""",
        """
استمر من فضلك | شكرا جزيلا | أعد المحاولة مرة أخرى | كيف يعمل هذا | نعم هذا صحيح |
أصلح هذا الخطأ من فضلك | لماذا يحدث هذا | انتقل إلى الخطوة التالية | شغل الاختبار مرة أخرى |
لا ليس هكذا | استخدم الطريقة الأولى | توقف
""",
        "ما اسم القطة",
        4,
    ),
    "Hebrew": (
        """
לפני העברת מסד הנתונים חובה לגבות
שרת הבדיקות רץ בפורט 8080
הצוות מעדיף רווחים על טאבים
השחרור בכל יום שלישי אחר הצהריים
לחתולה קוראים תפוזה והיא אוהבת שמש
אסור לערוך את קובץ ההגדרות ישירות
""",
        """
תמשיך בבקשה | תודה רבה | נסה שוב | כן, זה נכון | תקן את הבאג הזה | למה זה קורה | עבור לשלב הבא |
הרץ את הבדיקות שוב | לא, לא ככה | השתמש בדרך הראשונה | עצור | תסביר לי בבקשה
""",
        "איך קוראים לחתולה",
        4,
    ),
    "Greek": (
        """
Πριν από τη μεταφορά της βάσης δεδομένων χρειάζεται αντίγραφο ασφαλείας
Ο δοκιμαστικός διακομιστής τρέχει στη θύρα 8080
Η ομάδα προτιμά κενά αντί για στηλοθέτες
Η γάτα λέγεται Πορτοκάλι και της αρέσει ο ήλιος
Μην αλλάζεις το αρχείο ρυθμίσεων απευθείας
Τα μοναδιαία τεστ πρέπει να περνούν πριν από τη συγχώνευση
""",
        """
συνέχισε παρακαλώ | ευχαριστώ πολύ | δοκίμασε ξανά | τρέξε ξανά τα τεστ | δείξε μου το αρχείο |
διάγραψε αυτό το αρχείο | κάνε το ίδιο και στο άλλο αρχείο | ναι, σωστά | διόρθωσε αυτό το σφάλμα |
γιατί συμβαίνει αυτό | πήγαινε στο επόμενο βήμα | όχι, όχι έτσι
""",
        "πώς λέγεται η γάτα",
        3,
    ),
    "Turkish": (
        """
Veritabanını taşımadan önce mutlaka yedek al
Test sunucusu 8080 portunda çalışıyor
Ekip boşlukları sekmelere tercih ediyor
Sürüm her salı öğleden sonra çıkar
Kedinin adı Portakal, güneşi sever
Tasarım belgeleri docs/design altında
""",
        """
devam et lütfen | çok teşekkürler | bir daha dene | geri al | nasıl çalışıyor | belgeleri güncelle |
evet doğru öyle yap | bu hatayı düzelt | neden böyle oluyor açıkla | sonraki adıma geç |
testi tekrar çalıştır | hayır öyle değil
""",
        "kedinin adı ne",
        4,
    ),
    "Russian": (
        """
Перед переносом базы данных обязательно сделать копию
Тестовый сервер работает на порту 8080
Команда предпочитает пробелы
Кошку зовут Апельсин, она любит солнце
Нельзя править файл настроек вручную
Крупный клиент в Казани
""",
        """
продолжай пожалуйста | большое спасибо | попробуй ещё раз | покажи файл | можешь сделать короче |
удали этот файл | как это работает | в чём проблема | да, всё правильно | исправь эту ошибку |
почему так происходит, объясни | перейди к следующему шагу
""",
        "как зовут кошку",
        3,
    ),
    "Spanish": (
        """
Antes de migrar la base de datos hay que hacer una copia de seguridad
La versión sale cada martes por la tarde
La gata se llama Naranja y le gusta el sol
No se debe editar el archivo de configuración a mano
Las pruebas unitarias deben pasar antes de fusionar
La administradora es Lucía Gómez
""",
        """
continúa por favor | muchas gracias | inténtalo de nuevo | ejecuta las pruebas otra vez |
usa la primera forma | explícame por favor | muéstrame el archivo | cuál es la siguiente tarea |
eso es todo | haz lo mismo con el otro archivo | estoy de acuerdo | cambia el nombre de la variable
""",
        "cómo se llama la gata",
        2,
    ),
    "French": (
        """
Avant de migrer la base de données il faut faire une sauvegarde
L'équipe préfère les espaces aux tabulations
Il ne faut pas modifier le fichier de configuration à la main
Le gros client est à Lyon
Les tests unitaires doivent passer avant la fusion
L'administratrice est Claire Dupont
""",
        """
continue s'il te plaît | merci beaucoup | essaie encore une fois | oui, c'est ça | relance les tests |
écris une fonction de tri | montre-moi le fichier | c'est faux, fais-le autrement |
je ne comprends pas | quel est le problème | c'est tout | fais la même chose pour l'autre fichier
""",
        "que faut-il faire avant de migrer la base de données",
        0,
    ),
    "German": (
        """
Vor dem Umzug der Datenbank muss eine Sicherung gemacht werden
Der Testserver läuft auf Port 8080
Das Team mag lieber Leerzeichen als Tabulatoren
Die Katze heißt Mandarine und liebt die Sonne
Die Konfigurationsdatei darf man nicht von Hand ändern
Die Verwalterin ist Frau Schröder
""",
        """
mach bitte weiter | vielen Dank | versuch es noch einmal | warum passiert das | nein, nicht so |
mach das rückgängig | mach einen Commit und push die Änderungen | was ist die nächste Aufgabe |
wie funktioniert das | das war alles | was ist passiert | was bedeutet das
""",
        "wie heißt die Katze",
        3,
    ),
    "Portuguese": (
        """
Antes de migrar o banco de dados é preciso fazer uma cópia de segurança
O servidor de teste roda na porta 8080
A gata se chama Laranja e gosta de sol
Não se deve editar o arquivo de configuração à mão
O cliente grande fica em Curitiba
Os documentos de projeto estão em docs/design
""",
        """
continue por favor | muito obrigado | tente de novo | rode os testes de novo | não, assim não |
escreva uma função de ordenação | mostre o arquivo | não entendo | qual é o problema |
faça o mesmo com o outro arquivo | não importa | formate o código
""",
        "como se chama a gata",
        2,
    ),
    "Italian": (
        """
Prima di migrare la base di dati bisogna fare una copia di sicurezza
Il server di prova gira sulla porta 8080
La gatta si chiama Arancia e ama il sole
Il cliente grande è a Torino
I documenti di progetto sono in docs/design
L'amministratrice è Giulia Rossi
""",
        """
continua per favore | grazie mille | prova di nuovo | esegui di nuovo i test | spiegami per favore |
scrivi una funzione di ordinamento | qual è il prossimo compito | qual è il problema | è tutto |
cosa è successo | sono d'accordo | sì, va bene così
""",
        "come si chiama la gatta",
        2,
    ),
    "Indonesian": (
        """
Sebelum memindahkan basis data harus dibuat cadangan
Server uji berjalan di porta 8080
Tim lebih suka spasi daripada tab
Rilis keluar setiap Selasa sore
Kucing saya bernama Jeruk dan suka berjemur
Jangan ubah berkas konfigurasi secara langsung
""",
        """
lanjutkan | terima kasih banyak | coba lagi | saya tidak mengerti | bisa bantu saya | saya setuju |
ya, itu benar | perbaiki kesalahan ini | kenapa bisa begitu | lanjut ke langkah berikutnya |
jalankan tes sekali lagi | bukan begitu
""",
        "siapa nama kucing saya",
        4,
    ),
    "Korean": (
        """
데이터베이스를 이전하기 전에 반드시 백업한다
테스트 서버는 8080 포트에서 돌아간다
팀은 탭보다 공백을 좋아한다
배포는 매주 화요일 오후에 한다
고양이 이름은 귤이고 햇볕을 좋아한다
설정 파일을 직접 고치면 안 된다
""",
        """
계속 진행해 주세요 | 감사합니다 | 다시 한번 해 주세요 | 파일을 보여줘 | 아직 안 돼 |
네 그렇게 해 주세요 | 이 버그를 고쳐 주세요 | 왜 그런지 설명해 주세요 | 다음으로 넘어가 주세요 |
테스트를 다시 돌려 주세요 | 아니요 | 첫 번째 방법으로 해 주세요
""",
        "고양이 이름이 뭐야",
        4,
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_everyday_prompt_gets_nothing_and_a_question_its_memory_in_every_language(
    language: str, store: Path, write: Write
) -> None:
    """README, "No noise": "continue" and "thanks" are empty, in whatever language the notes are."""
    notes, prompts, question, answer = LANGUAGES[language]
    keep(write, "own", notes)
    keep(write, "english", ENGLISH)
    refresh(str(store))

    noise = {prompt: given for prompt in prompts.split("|") if (given := paths(store, prompt.strip()))}

    assert noise == {}
    assert paths(store, question)[:1] == [f"own-{answer}.md"]


@pytest.mark.parametrize("language", ["Thai", "Khmer", "Burmese", "Hindi", "Arabic", "Russian"])
def test_a_question_beside_a_pasted_log_is_asked_in_scripts_of_many_marks(
    language: str, store: Path, write: Write
) -> None:
    """E1: a vowel sign is part of a sentence."""
    notes, _, question, answer = LANGUAGES[language]
    keep(write, "own", notes)
    refresh(str(store))

    assert paths(store, f"{question}\n\n{LOG * 2}")[:1] == [f"own-{answer}.md"]


def keep(write: Write, name: str, notes: str) -> None:
    """A memory of each line."""
    for number, note in enumerate(notes.strip().split("\n")):
        write(f"{name}-{number}", note)


def paths(store: Path, question: str) -> list[str]:
    return [hit.path for hit in recall(str(store), question, WHEN).hits]


PICKS = """
1 | 2 | 3 | yes, 2 | step 3 | 4 | 5 | 9 | 10 | let us do 1 and 3 | c | exit | /exit | q | quit | go with 2 | option b |
proceed with option 2 | step 2 please | do 1, 2 and 4 | ok 2 | 2) | (b) | 第2个 | 选项 3 | 2つ目 | 2번
"""


def test_what_picks_from_a_list_is_no_question(store: Path) -> None:
    """E3: in a store whose notes hold numbered steps, ports and times."""
    shutil.copytree(Path(__file__).parents[2] / "examples" / "store", store, dirs_exist_ok=True)
    refresh(str(store))
    picks = [pick.strip() for pick in PICKS.replace("\n", " ").split(" | ")]
    assert {pick for pick in picks if recall(str(store), pick, WHEN).hits} == set()
